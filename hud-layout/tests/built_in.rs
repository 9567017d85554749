//! The built-in layout as a file renders the same bytes as the compiled one.

use hud_agent::layout::Layout;
use hud_agent::settings::Settings;
use hud_core::part::{Layer, PartMeta};
use hud_core::{Density, render};
use hud_layout::{Catalogue, Source, Template, states};
use hud_store::state::HudState;

fn rendered(layout: &Layout, state: &HudState, density: Density, layer: Option<Layer>) -> String {
    let choose = &mut |part: &PartMeta| {
        (layer.is_none_or(|layer| part.layer == layer)).then(|| part.at(density))
    };
    layout
        .render(state, &Settings::default(), density, choose)
        .map_or_else(|error| error.to_string(), |shown| shown.markdown)
}

#[test]
fn the_built_in_layout_as_a_file_renders_the_same_bytes() {
    let catalogue = Catalogue::built_in();
    let template = Template::built_in(&catalogue).unwrap_or_else(|wrong| panic!("{wrong}"));
    let (compiled, written) = (Layout::default(), template.layout());
    for (name, state) in [
        ("empty", HudState::default()),
        ("overfull", states::overfull().clone()),
        ("hostile", states::hostile().clone()),
    ] {
        for density in Density::ALL {
            for layer in [None, Some(Layer::Static), Some(Layer::Dynamic)] {
                let expected = rendered(&compiled, &state, density, layer);
                let found = rendered(&written, &state, density, layer);
                assert_eq!(found, expected, "{name} at {density}");
            }
        }
    }
}

#[test]
fn a_layout_shows_the_same_whether_it_reads_members_of_the_state_or_all_of_it() {
    for layout in [
        "{state.turn} {state.decisions.length} {state.notes.map(note => note.content)}",
        "{state.task?.description ?? 'none'} {context?.used}",
        "<Meter used={state.decisions.length} />",
        "<NotesSection notes={state.notes.filter(note => note.turn >= 0)} />",
        "<Section title={state.task?.description ?? 'none'}>{state.next_steps.map(step => step.status)}</Section>",
        "<Component name=\"Steps\" props={{list: \"array\"}}>{props.list.map(step => <Item>{step.description} {step.turn}</Item>)}</Component>\n\n\
         <Steps list={state.next_steps} />",
        "{density === 'full' && <ErrorsList errors={state.errors} />}",
        "{Object.keys(state.core_memory ?? {}).length}",
    ] {
        let read = |text: String| {
            let source = Source::new("layout.mdx", text);
            let template = Template::read(&source, &[], &Catalogue::built_in());
            template.unwrap_or_else(|wrong| panic!("{wrong}")).layout()
        };
        let some = read(layout.to_owned());
        let all = read(format!("{layout}\n\n{{[state].length === 0}}\n"));
        for state in [&HudState::default(), states::overfull(), states::hostile()] {
            for density in Density::ALL {
                assert_eq!(
                    rendered(&some, state, density, None),
                    rendered(&all, state, density, None),
                    "{layout} at {density}"
                );
            }
        }
    }
}

/// What the built-in layout does not use: each node, with a text of the state, and the whole HUD as one tag.
const OTHERS: &str = "\
<Hud state={state} />

<Beside separator={state.task?.description ?? '/'}>
  <Part name={state.task?.description} worth={3} cap={2}>{state.task?.description}</Part>
</Beside>

<Parts><Part name=\"a\" layer=\"static\">{state.task?.description}</Part></Parts>

<Section title={state.task?.description ?? 'none'}>
  <Heading level={3}>{state.task?.description}</Heading>
  <Paragraph>
    <Strong>{state.task?.description}</Strong><Break /><Emphasis>{state.task?.description}</Emphasis>
    <Delete>{state.task?.description}</Delete> <Code>{state.task?.description}</Code>
    <Math>{state.task?.description}</Math>
    <Link url={state.task?.description ?? ''} title={state.task?.description}>{state.task?.description}</Link>
    <Image url={state.task?.description ?? ''} alt={state.task?.description} />
  </Paragraph>
</Section>

<Quote>{state.task?.description}</Quote>

<Callout label={state.task?.description ?? ''}>{state.task?.description}</Callout>

<Alert kind=\"warning\">{state.task?.description}</Alert>

<ThematicBreak />

<List ordered start={3}>{state.notes.map(note => <Item key={note.id} checked>{note.content}</Item>)}</List>

<DescriptionList><Description term={state.task?.description ?? ''}>{state.task?.description}</Description></DescriptionList>

<Table align={['left', 'right']}><Row>{state.notes.map(note => <Cell>{note.content}</Cell>)}</Row></Table>

<CodeBlock lang={state.task?.description} meta=\"x\">{state.task?.description}</CodeBlock>

<MathBlock>{state.task?.description}</MathBlock>

<Line separator={state.task?.description ?? ','}>
  <Field label={state.task?.description ?? ''}><Group>{state.task?.description}</Group></Field>
  <Meter used={state.notes.length} limit={20} unit={state.task?.description} />
  <Status state={state.task?.description ?? ''} />
  <Relates how={state.task?.description ?? ''} to={state.task?.description} part=\"task\">{state.task?.description}</Relates>
</Line>
";

#[test]
fn markdown_and_tags_give_alerts() {
    let text = "> [!WARNING]\n> The disk is *full*.\n\n<Alert kind=\"tip\">Use another.</Alert>\n";
    let source = Source::new("alerts.mdx", text.to_owned());
    let template = Template::read(&source, &[], &Catalogue::built_in())
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    let made = template.elements(&HudState::default());
    assert!(made.failures.is_empty(), "{:?}", made.failures);
    assert_eq!(
        hud_core::render(&made.element, Density::Full).unwrap(),
        "> [!WARNING]\n> The disk is *full*.\n\n> [!TIP]\n> Use another.\n"
    );
}

/// A layout of these tags alone is therefore made once of a state that is always the same, when it is tried.
#[test]
fn each_built_in_tag_gives_the_same_bytes_twice() {
    let catalogue = Catalogue::built_in();
    let all = format!("{}\n{OTHERS}", hud_layout::template::BUILT_IN);
    for entry in catalogue.entries() {
        let tag = format!("<{}", entry.meta().name);
        let is_used = all
            .match_indices(&tag)
            .any(|(at, _)| !all[at + tag.len()..].starts_with(char::is_alphanumeric));
        assert!(is_used, "{tag}> is not tried");
    }
    let source = Source::new("all.mdx", all);
    let template =
        Template::read(&source, &[], &catalogue).unwrap_or_else(|wrong| panic!("{wrong}"));
    for state in [&HudState::default(), states::overfull(), states::hostile()] {
        let made = [template.elements(state), template.elements(state)];
        for density in Density::ALL {
            let [once, again] = made.each_ref().map(|made| {
                assert!(made.failures.is_empty(), "{:?}", made.failures);
                hud_core::render(&made.element, density).unwrap()
            });
            assert!(!once.is_empty());
            assert_eq!(once, again, "at {density}");
        }
    }
}

#[test]
fn components_of_a_layout_are_kept_apart_and_text_is_not() {
    const PAIR: &str = "<Component name=\"Header\">INC-2041</Component>\n\n\
                        <Component name=\"Services\" density=\"full\">2 not up</Component>\n\n";
    let shown = |layout: &str| {
        let source = Source::new("layout.mdx", format!("{PAIR}{layout}\n"));
        let template = Template::read(&source, &[], &Catalogue::built_in());
        let layout = template.unwrap_or_else(|wrong| panic!("{wrong}")).layout();
        rendered(&layout, &HudState::default(), Density::Minimal, None)
    };
    let apart = "INC-2041 │ 2 not up\n";
    assert_eq!(shown("<Header /><Services />"), apart);
    assert_eq!(shown("<Group><Header /><Services /></Group>"), apart);
    assert_eq!(
        shown("<List><Item><Header /><Services /></Item></List>"),
        format!("- {apart}")
    );
    assert_eq!(
        shown("See <Header />, (<Services />)"),
        "See INC-2041, (2 not up)\n"
    );
    assert_eq!(
        shown("{density === 'full' ? 'a' : 'b'}{density}"),
        "bminimal\n"
    );
    assert_eq!(shown("down<Strong> SEV1</Strong>"), "down **SEV1**\n");
    let failure = |layout: &str| {
        let source = Source::new("layout.mdx", layout);
        let template = Template::read(&source, &[], &Catalogue::built_in());
        let template = template.unwrap_or_else(|wrong| panic!("{wrong}"));
        let made = template.elements(&HudState::default());
        made.failures[0].message.clone()
    };
    let error = failure("<Table><Row><Cell><List><Item>a</Item></List></Cell></Row></Table>");
    assert!(error.contains("`<List>` cannot be in `<Cell>`"), "{error}");
    let error = failure("<Heading level={9}>a</Heading>");
    assert!(error.contains("give it a level from 1 to 6"), "{error}");
}

/// Built-in sections are blocks, and a heading, a mark and a cell hold a line: which tag is misplaced is known when its
/// elements are made.
#[test]
fn a_tag_that_is_misplaced_fails_alone_with_its_place() {
    let notes = "<NotesSection notes={state.notes} />";
    for (around, within) in [
        (["# ", ""], "Heading"),
        (["<Strong>", "</Strong>"], "Strong"),
        (["<Table><Row><Cell>", "</Cell></Row></Table>"], "Cell"),
    ] {
        let [before, after] = around;
        let layout = format!("<Parts>\n\nkept\n\n{before}{notes}{after}\n\n</Parts>");
        let source = Source::new("layout.mdx", layout);
        let template = Template::read(&source, &[], &Catalogue::built_in()).unwrap();
        let made = template.elements(states::overfull());
        let [failure] = made.failures.as_slice() else {
            panic!("{:?}", made.failures);
        };
        let expected = format!("`<Section>` cannot be in `<{within}>`");
        assert!(failure.message.starts_with(&expected), "{failure:?}");
        let shown = render(&made.element, Density::Full).unwrap();
        assert!(shown.contains("kept"), "{shown}");
        assert!(shown.contains("layout 5:"), "{shown}");
    }
}
