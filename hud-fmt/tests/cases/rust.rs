fn rust() -> Element<'static> {
    rsx! {
    { value }
  {
        let x = 1;

          x + 1
    }
        {files.iter().map(|file| {
            let path = file.path();
            path
        })}
        {names(
                one,
        )} "beside"
        {"a string
    of lines"} {format!("{x} and
  {y}",
    x = 1)}
    {r#"raw
    lines"#}
        "a text
    of lines"
        {files.map(|file| rsx! { <Item>{ file }</Item> })}
        {files.map(|file| rsx! {
    <Item>{ file }
    </Item>
    })}
        {files.map(|file| rsx! { <Item checked={file.status == FileStatus::Editing}>{line(&file.path, 160)}</Item> })}
        <Item>{"http://x"}</Item>
        <Part render={|item| rsx! { <A>{ item }</A> }} /* note */ other={move |item| {
            rsx! { <A>{ item }</A> }
        }} />
    }
}
