fn props() -> Element<'static> {
    rsx! {
<Task {..base}   limit = 3 rate=-0.5 name = "a"  done=true open {..  rest} char='x' raw=r#"b"# r#type={ 5 }/>
        <Task
            limit=3
            open
        />
        <Task limit={a_long_name_of_a_function(with_an_argument)} rate={another_function(with_its_own)} open>"x"</Task>
        <Panel header=<Strong>"A"</Strong> footer = <>{ count } " more"</> />
        <Panel header=<Strong>"A header that is long enough to"</Strong> footer=<>{count} " more, and on"</> />
        <Panel header=<Section title="A">
            "text"
        </Section> />
        <Table<Row<'_, u8>> rows={&rows} map={|row| -> u8 { row.id }} />
        <Table::<u8>>"x"</Table>
        <Called<fn(u8) -> u8> with={double}></Called>
        <my::parts::Part align={vec![
            Align::Left, // names
            Align::Right,
        ]} other=1/>
        <Section title={format!(
            "{} of {}", done, all)}>"x"</Section>
    }
}
