//! A component with its own props and densities: the results of a test run, as a table while
//! there is room for one. Run it with `cargo run --example custom_component`.

use hud_core::node::{Align, Cell, Code, Field, Row, Section, Table};
use hud_core::{Density, Element, LowerError, component, render, rsx};

/// A suite of tests that was run.
#[derive(Debug)]
struct Suite {
    name: &'static str,
    passed: u32,
    failed: u32,
}

/// What the last test run said.
#[component]
fn TestReport<'a>(
    /// The suites, in the order in which they ran.
    suites: &'a [Suite],
    /// What the section is called.
    #[prop(into, default = "Tests".to_owned())]
    title: String,
    density: Density,
) -> Element<'a> {
    let failing = || suites.iter().filter(|suite| suite.failed > 0);
    match density {
        Density::Full => rsx! {
            <Section title>
                <Table align={vec![Align::Left, Align::Right, Align::Right]}>
                    <Row><Cell>"Suite"</Cell> <Cell>"Passed"</Cell> <Cell>"Failed"</Cell></Row>
                    for Suite { name, passed, failed } in suites {
                        <Row>
                            <Cell><Code>{*name}</Code></Cell>
                            <Cell>{passed}</Cell>
                            <Cell>{failed}</Cell>
                        </Row>
                    }
                </Table>
            </Section>
        },
        Density::Compact => rsx! {
            <Field label={title}>
                for (index, suite) in failing().enumerate() {
                    if index > 0 { ", " }
                    <Code>{suite.name}</Code> " " {suite.failed} " failed"
                }
                if failing().next().is_none() { "all passed" }
            </Field>
        },
        Density::Minimal => rsx! { {failing().count()} "/" {suites.len()} " suites failing" },
    }
}

fn main() -> Result<(), LowerError> {
    let suites = [
        Suite {
            name: "gateway",
            passed: 41,
            failed: 0,
        },
        Suite {
            name: "limiter|redis",
            passed: 12,
            failed: 2,
        },
    ];
    let report = rsx! { <TestReport suites={&suites} title="Test report" /> };
    for density in Density::ALL {
        anstream::println!("--- {density} ---\n{}", render(&report, density)?);
    }
    Ok(())
}
