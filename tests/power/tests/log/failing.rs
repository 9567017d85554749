//! Operations fail, and the program goes on.

use hud_power::check::examine;
use hud_power::client::{Manner, Report, insist};
use hud_power::{Disk, Fault, Mounted, Tally, Workload};
use hud_store::sqlite::Durability;

use crate::every;

/// Each of these many operations fails once, in a run of its own.
fn sweep(label: &str, fault: impl Fn(u64) -> Fault, count: impl Fn(&Disk) -> u64, step: usize) {
    let workload = Workload::mixed(Durability::Full).unwrap();
    let all = workload.stored.len() as u64;
    let (mut tally, mut report) = (Tally::new(label), Report::default());
    let whole = Mounted::new(Disk::new());
    insist(&whole, &workload, Manner::Patient, &mut report);
    assert!(report.errors.is_empty(), "{report:?}");
    for at in (1..=count(whole.disk())).step_by(step) {
        for manner in [Manner::Patient, Manner::Restarting] {
            let mounted = Mounted::new(Disk::new());
            mounted.disk().set_fault(fault(at));
            let left = insist(&mounted, &workload, manner, &mut report);
            mounted.disk().heal();
            let name = format!("at {at}, {manner:?}");
            for disk in [&left, mounted.disk()] {
                examine(disk, &workload, all, &name, &mut tally);
            }
        }
    }
    println!("{}\n{tally}\n{report}", Tally::head());
    assert_eq!((tally.broken(), tally.losing), (0, 0), "{tally:#?}");
    assert!(!report.errors.is_empty(), "no fault was felt");
    let trouble = report.misleading + report.unreadable + report.reopened + report.gave_up;
    assert_eq!(trouble, 0, "{report:#?}");
}

#[test]
fn an_operation_that_fails_loses_nothing() {
    sweep("one operation fails", Fault::IoError, Disk::ops, every(13));
}

#[test]
fn a_flush_that_fails_and_forgets_loses_nothing() {
    sweep(
        "one flush fails and forgets",
        Fault::Forget,
        Disk::ops,
        every(13),
    );
}

#[test]
fn a_read_that_fails_loses_nothing() {
    sweep("one read fails", Fault::ReadError, Disk::reads, every(13));
}

#[test]
fn a_moment_without_room_loses_nothing() {
    sweep("no room once", Fault::Full, Disk::ops, every(13));
}

#[test]
fn a_full_disk_loses_nothing_and_the_log_goes_on_when_there_is_room() {
    sweep("no room for a while", Fault::FullFrom, Disk::ops, every(13));
}
