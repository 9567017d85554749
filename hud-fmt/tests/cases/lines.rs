fn lines() -> Element<'static> {
    let empty = rsx! {
    };
    let short = rsx!(<A/>);
    let bracket = rsx![   "a"   "b" ];
    let long = rsx! { <Section title="Active Files"><List><Item>"one"</Item><Item>"two"</Item></List></Section> };
    let sentence = rsx! { <Paragraph>"Not set: " <Code>"task.set"</Code> " records it. " {children} " and so on, to the end"</Paragraph> };
    let broken = rsx! {<A>
        "a"</A><B/>
        <C/><D>"d"
    </D><E/>};
    assert_eq!(render(&rsx! { <Section title="A title that is rather long"><A/></Section> }, x), "text");
    rsx! {

        <A/>


        <B></B>
        <>"a" <><C /></></>

    }
}
