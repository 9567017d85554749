fn control() -> Element<'static> {
    rsx! {
        if a { "a" }
        if   a   {"a"}else if b{"b"}   else{ "c" }
        if a { "a" } else { "b"
        }
        if let Some(Point { x, y }) = point && x > 0 { {x} {y} } else if a_condition_that_is_long(enough) { "b" } else {}
        if matches!(
            value,
            Some(1)
        ) { "one" }
        for Point { x, y } in points { {x} ", " {y} }
        for (index, file) in files.iter().enumerate() { if index > 0 { ", " } <Code>{line(&file.path, 60)}</Code> }
        for file in files.iter()
            .filter(|file| file.open)
        {
            <Item>{file}</Item>
        }
        match density { Density::Full => <Full />, Density::Compact if small => { <A /> <B /> } Density::Compact => {}, _ => {"x"} }
        match value {
            Some(0)
            | None => "nothing",

            Some(n) if n > 100 => <Item>"a child that makes a long line of it, " {n} " of them and more of it"</Item>,
            _ => match other { true => "a", false => if x { "b" } else { "c" } },
        }
        {if a { 1 } else { 2 }}
        {for x in xs { x }}
    }
}
