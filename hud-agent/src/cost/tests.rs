//! Property tests of the simulator.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;

/// A block of the conversation with that content hash and so many tokens.
fn block(content: u64, tokens: u64) -> Block {
    Block {
        id: "b".into(),
        content,
        tokens,
        role: Role::Conversation,
    }
}

fn request(second: i64, blocks: Vec<Block>, breakpoints: Vec<usize>) -> Request {
    Request {
        at: Timestamp::from_second(second).unwrap(),
        blocks,
        breakpoints,
    }
}

fn any_profile() -> impl Strategy<Value = Profile> {
    let caching = prop::sample::select(vec![
        Caching::None,
        Caching::Any,
        Caching::Marked,
        Caching::Last,
    ]);
    let bounds = (
        0_u64..5_000,
        1_u64..300,
        0_u32..6,
        prop::option::of(0_u32..30),
    );
    let time = (0_u32..1_000, any::<bool>(), any::<bool>());
    let prices = (0.0..1.0_f64, 1.0..3.0_f64);
    (caching, bounds, time, prices).prop_map(|(caching, bounds, time, prices)| Profile {
        caching,
        min_prefix: bounds.0,
        step: bounds.1,
        max_breakpoints: bounds.2,
        lookback: bounds.3,
        lifetime: time.0,
        refresh: time.1,
        clients_mark: time.2,
        read: prices.0,
        write: prices.1,
        ..Profile::default()
    })
}

fn any_requests() -> impl Strategy<Value = Vec<Request>> {
    let blocks = prop::collection::vec((0_u64..4, 0_u64..3_000), 0..12);
    let marks = prop::collection::vec(0_usize..14, 0..6);
    let one = (blocks, marks, -400_i64..400);
    prop::collection::vec(one, 0..12).prop_map(|all| {
        let mut second = 0;
        let each = all.into_iter().map(|(blocks, marks, later)| {
            second += later;
            let blocks = blocks.into_iter();
            let blocks = blocks.map(|(content, tokens)| block(content, tokens));
            request(second, blocks.collect(), marks)
        });
        each.collect()
    })
}

/// The sizes of a conversation that only grows: its first block, and the block that each call adds.
fn any_growth() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(1_u64..5_000, 1..20)
}

fn growing(sizes: &[u64]) -> Vec<Request> {
    let calls = (1..=sizes.len()).map(|calls| {
        let blocks = sizes.iter().take(calls).zip(0..);
        let blocks = blocks.map(|(tokens, nth)| block(nth, *tokens));
        request(0, blocks.collect(), vec![calls - 1])
    });
    calls.collect()
}

proptest! {
    #[test]
    fn nothing_costs_less_than_reading_all_or_more_than_writing_all(
        profile in any_profile(), requests in any_requests(),
    ) {
        let mut cache = Cache::new(profile.clone());
        for request in &requests {
            let charge = cache.charge(request);
            let all = request.tokens();
            prop_assert_eq!(charge.tokens(), all);
            let (least, most) = (all as f64 * profile.read, all as f64 * profile.write);
            prop_assert!(charge.cost >= least - 1e-6 && charge.cost <= most + 1e-6, "{charge:?}");
        }
    }

    #[test]
    fn a_conversation_that_only_grows_is_written_once_and_read_from_then_on(
        sizes in any_growth(), is_marked in any::<bool>(),
    ) {
        let caching = if is_marked { Caching::Marked } else { Caching::Last };
        let profile = Profile {
            caching, max_breakpoints: 1, lookback: Some(20), write: 1.25, read: 0.1, ..Profile::default()
        };
        let (mut then, mut expected) = (0, 0.0);
        for size in &sizes {
            expected += then as f64 * profile.read + *size as f64 * profile.write;
            then += size;
        }
        let spent = Spent::of(&growing(&sizes), &profile);
        prop_assert!((spent.charge.cost - expected).abs() < 1e-3, "{spent:?} {expected}");
        prop_assert_eq!(spent.charge.written, then);
    }

    #[test]
    fn what_is_read_is_a_whole_number_of_steps_of_at_least_the_least_beginning(
        profile in any_profile(), requests in any_requests(),
    ) {
        let mut cache = Cache::new(profile.clone());
        for request in &requests {
            let read = cache.charge(request).read;
            prop_assert_eq!(read % profile.step, 0);
            prop_assert!(read == 0 || read + profile.step > profile.min_prefix);
        }
    }

    #[test]
    fn the_first_changed_block_is_the_first_that_differs(
        before in prop::collection::vec((0_u64..3, 0_u64..2), 0..10),
        now in prop::collection::vec((0_u64..3, 0_u64..2), 0..10),
    ) {
        let of = |all: &[(u64, u64)]| {
            let blocks = all.iter().map(|(content, tokens)| block(*content, *tokens));
            request(0, blocks.collect(), Vec::new())
        };
        let first = of(&now).first_changed(&of(&before));
        let place = first.unwrap_or(before.len());
        prop_assert_eq!(&before[..place], &now[..place]);
        if first.is_some() {
            prop_assert_ne!(before.get(place), now.get(place));
            prop_assert!(place < before.len());
        }
    }
}

#[test]
fn what_is_kept_expires_and_what_is_read_is_kept_anew() {
    let profile = Profile {
        caching: Caching::Any,
        lifetime: 300,
        read: 0.1,
        ..Profile::default()
    };
    let costs = |profile: &Profile| {
        let mut cache = Cache::new(profile.clone());
        [0, 300, 600, 901].map(|second| {
            let request = request(second, vec![block(1, 1_000)], Vec::new());
            cache.charge(&request).cost
        })
    };
    assert_eq!(costs(&profile), [1_000.0, 100.0, 100.0, 1_000.0]);
    let refresh = false;
    assert_eq!(
        costs(&Profile { refresh, ..profile }),
        [1_000.0, 100.0, 1_000.0, 1_000.0]
    );
}

#[test]
fn a_beginning_too_far_before_the_breakpoint_is_not_found() {
    let anthropic = &Profile::built_in()["anthropic"];
    let grown = |more: u64| {
        let mut cache = Cache::new(anthropic.clone());
        let mut blocks = vec![block(0, 10_000)];
        cache.charge(&request(0, blocks.clone(), vec![0]));
        blocks.extend((1..=more).map(|nth| block(nth, 10)));
        let last = blocks.len() - 1;
        cache.charge(&request(1, blocks, vec![last])).read
    };
    assert_eq!(grown(20), 10_000);
    assert_eq!(grown(21), 0);
}

#[test]
fn a_last_message_that_changes_hides_the_rest_where_only_whole_requests_are_kept() {
    let openai = &Profile::built_in()["openai"];
    let mut cache = Cache::new(openai.clone());
    let with_tail = |tail| request(0, vec![block(0, 10_000), block(tail, 100)], vec![0]);
    cache.charge(&with_tail(1));
    assert_eq!(
        cache.charge(&with_tail(2)).read,
        0,
        "no client marks the rest"
    );
    let mut marked = Cache::new(Profile {
        clients_mark: true,
        ..openai.clone()
    });
    marked.charge(&with_tail(1));
    assert_eq!(marked.charge(&with_tail(2)).read, 10_000);
}
