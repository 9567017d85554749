fn tags() -> Element<'static> {
    rsx! {
        {names.iter().map(|name| <Item   checked = true>{ name }</Item>)}
        { done && <Strong >"done"</Strong> }
        {match kind { A => <A/>, B => <b::B<C>></b::B>, _ => <></> }}
        {if done { <A/> } else { <B x = 1/> }}
        {names.map(|name| <Item checked={file.status == FileStatus::Editing}>{line(&file.path, 160)}</Item>)}
        {names.map(|name| {
            let short = line(name, 5);
                <Item>
        {short}
                </Item>
        })}
        <Part aside={<Strong  >"x"</Strong>} {..Part { side: <A/> }} />
        {<T as Trait>::VALUE < <u8>::MAX && a < b && c > d}
        {Vec::<&<T as Trait>::Out>::new()}
        {vec![<A/>]}
        {names.map(|name| /* note */ <Item>// of it
    "x"</Item>)}
    }
}

fn from_another_crate() {
    rsx! {crate=facade::hud_core;<List><Item>"a"</Item></List>}
    rsx! {
        crate = facade::hud_core;
        <List><Item>"a"</Item></List>
    }
}
