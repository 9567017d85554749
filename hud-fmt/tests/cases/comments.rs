fn comments() -> Element<'static> {
    rsx! { // behind the brace
        // before a child
           <List> // behind a tag
     /* a block */ <Item>"a"</Item> // behind a child

    // after a blank line


            <Item // behind a name
    checked=true /* behind a prop */
        // on its own
          >"b"</Item>
        <Item>  /* all of it */  </Item>
        <Item>
            // all of it
        </Item>
            /* a block
             * of lines
               */
            // before a closing tag
    </List>
        if done { // behind the head
            "done" } // behind the body
        else { "open" }
        match state { // behind the match
            // before an arm
            State::Done => "done", // behind an arm
            State::Open => // within an arm
                "open",
        // after the arms
        }
        <Item checked= /* within a prop */ true>{ value // behind a value
        }</Item>
        {/* nothing but a comment */}
        { // before a value
            value
        }
        < /* within a tag */ Item />
        // at the end
    }
}
