//! Power fails at one operation after another.

use hud_power::check::{contents, examine};
use hud_power::client::{Manner, Report, insist, until_error};
use hud_power::{Disk, Fault, Mounted, Rng, Tally, Workload};
use hud_store::sqlite::{Durability, SqliteLog};

use crate::every;

/// How many in a hundred of the unflushed sectors survive.
const KEEP: [u64; 3] = [0, 50, 90];

/// How many operations of a program see the second power loss.
const SECOND: u64 = 60;

/// Loses power at every `step`-th operation of the workload.
fn sweep(label: &str, workload: &Workload, disk: impl Fn() -> Disk, step: usize) -> Vec<Tally> {
    let mut tallies = KEEP.map(|keep| Tally::new(format!("{label}, {keep}% kept")));
    let whole = Mounted::new(disk());
    assert_eq!(until_error(&whole, workload), workload.stored.len() as u64);
    // And once after the last.
    for at in (1..=whole.disk().ops() + 1).step_by(step) {
        let mounted = Mounted::new(disk());
        mounted.disk().set_fault(Fault::PowerLoss(at));
        let acked = until_error(&mounted, workload);
        for (keep, tally) in KEEP.into_iter().zip(&mut tallies) {
            let left = mounted.disk().after_power_loss(keep, &mut Rng::new(at));
            examine(&left, workload, acked, &format!("at {at}"), tally);
        }
    }
    println!("{}", Tally::head());
    for tally in &tallies {
        println!("{tally}");
    }
    tallies.into()
}

#[test]
fn a_durable_log_loses_nothing_that_was_acknowledged() {
    let workload = Workload::mixed(Durability::Full).unwrap();
    for tally in sweep("full", &workload, Disk::new, every(11)) {
        assert_eq!((tally.broken(), tally.losing), (0, 0), "{tally:#?}");
    }
}

#[test]
fn a_fast_log_loses_its_newest_events_at_most() {
    let workload = Workload::mixed(Durability::Fast).unwrap();
    for tally in sweep("fast", &workload, Disk::new, every(11)) {
        assert_eq!(tally.broken(), 0, "{tally:#?}");
    }
}

#[test]
fn what_is_durable_takes_with_it_what_came_before() {
    let workload = Workload::switching().unwrap();
    for tally in sweep("switching", &workload, Disk::new, every(11)) {
        assert_eq!((tally.broken(), tally.losing), (0, 0), "{tally:#?}");
    }
}

#[test]
fn a_second_power_loss_while_the_log_recovers_is_survived() {
    let workload = Workload::mixed(Durability::Full).unwrap();
    let mut tally = Tally::new("full, power lost twice, 50% kept");
    let whole = Mounted::new(Disk::new());
    until_error(&whole, &workload);
    for at in (1..=whole.disk().ops()).step_by(every(7)) {
        let mut rng = Rng::new(at);
        let first = Mounted::new(Disk::new());
        first.disk().set_fault(Fault::PowerLoss(at));
        let acked = until_error(&first, &workload);
        let second = Mounted::new(first.disk().after_power_loss(50, &mut rng));
        let again = 1 + rng.number() % SECOND;
        second.disk().set_fault(Fault::PowerLoss(again));
        let acked = acked.max(until_error(&second, &workload));
        let left = second.disk().after_power_loss(50, &mut rng);
        examine(
            &left,
            &workload,
            acked,
            &format!("at {at} and {again}"),
            &mut tally,
        );
    }
    println!("{}\n{tally}", Tally::head());
    assert_eq!((tally.broken(), tally.losing), (0, 0), "{tally:#?}");
}

#[test]
fn a_log_that_makes_its_own_checkpoints_is_as_safe() {
    let workload = Workload::long(Durability::Full).unwrap();
    for tally in sweep("full, long", &workload, Disk::new, every(211)) {
        assert_eq!((tally.broken(), tally.losing), (0, 0), "{tally:#?}");
    }
}

#[test]
fn a_fast_log_that_makes_its_own_checkpoints_is_as_safe() {
    let workload = Workload::long(Durability::Fast).unwrap();
    for tally in sweep("fast, long", &workload, Disk::new, every(211)) {
        assert_eq!(tally.broken(), 0, "{tally:#?}");
    }
}

/// Or the tests of its checkpoints would be without one.
#[test]
fn a_fast_log_is_safe_up_to_its_own_checkpoint() {
    let workload = Workload::long(Durability::Fast).unwrap();
    let mounted = Mounted::new(Disk::new());
    let left = insist(&mounted, &workload, Manner::Patient, &mut Report::default());
    let left = Mounted::new(left);
    let kept = contents(&SqliteLog::open(left.path()).unwrap()).unwrap();
    println!("fast, long: the checkpoint made {} events safe", kept.len());
    assert!((1..workload.stored.len()).contains(&kept.len()));
    assert!(workload.stored.starts_with(&kept));
}

/// The control: were the tests above blind, this would find nothing either.
#[test]
fn a_disk_that_lies_about_its_flushes_is_found_out() {
    let workload = Workload::mixed(Durability::Full).unwrap();
    let tallies = sweep("lying", &workload, || Disk::new().lying(), every(31));
    for tally in &tallies {
        assert!(tally.losing + tally.broken() > 0, "{tally:#?}");
    }
    assert!(tallies[0].losing > 0);
}
