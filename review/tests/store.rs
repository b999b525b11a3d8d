//! What the store promises, on SQLite and on PostgreSQL.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use review::accounts::{Officer, Role, Tables};
use review::store::cases::{CaseKind, Fields, Member};
use review::store::decisions::{Action, Decision};
use review::store::notes::Subject;
use review::store::people::{Question, Whose};
use review::store::queue::{Doubts, Filter, Order, State};
use review::store::watches::{Doing, Watch};
use review::{Store, StoreError};
use support::{at, evening, officer, officer_at};
use table::{Money, Severity, Utc};

fn confirm() -> Decision<'static> {
    Decision { action: Action::Confirm, reason: "seen on camera 2", assignee: None }
}

const PUSH: &str = "BJ-04.17.3.paid_a_push.1a";

on_both! {
    async fn counting_once_gives_what_counting_each_filter_gives(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let ben = officer_at(&store, "ben", Role::Officer, Tables::Only(["BJ-05".to_owned()].into())).await;
        for table in ["BJ-04", "BJ-05"] {
            store.write("site", &evening(table), at(0)).await.unwrap();
        }
        let mut queue = store.list(&ana, &Filter::default(), None, 50).await.unwrap().flags.into_iter().map(|listed| listed.flag);
        let [taken, up, gone] = [queue.next().unwrap(), queue.next().unwrap(), queue.next().unwrap()];
        let assign = Decision { action: Action::Assign, reason: "", assignee: Some("ana") };
        store.decide(&ana, &[&taken], &assign, at(1)).await.unwrap();
        store.decide(&ana, &[&up], &Decision { action: Action::Escalate, reason: "", assignee: None }, at(1)).await.unwrap();
        store.decide(&ana, &[&gone], &Decision { action: Action::Dismiss, reason: "", assignee: None }, at(1)).await.unwrap();
        let filters = [
            Filter::default(),
            Filter { doubts: Doubts::Only, ..Filter::default() },
            Filter { states: vec![State::New, State::Escalated], doubts: Doubts::With, ..Filter::default() },
            Filter { least: Some(Severity::Critical), kinds: vec!["wrong-payout".to_owned()], ..Filter::default() },
            Filter { assignee: Some("me".to_owned()), ..Filter::default() },
        ];
        for asker in [&ana, &ben] {
            let tally = store.tally(asker).await.unwrap();
            for filter in &filters {
                let each = store.count(asker, filter).await.unwrap();
                assert_eq!(tally.count(filter), Some(each), "{} {filter:?}", asker.name);
            }
            for filter in [
                Filter { states: vec![State::Dismissed], ..Filter::default() },
                Filter { states: vec![], ..Filter::default() },
                Filter { tables: vec!["BJ-04".to_owned()], ..Filter::default() },
                Filter { unread: true, ..Filter::default() },
                Filter { assignee: Some("nobody".to_owned()), ..Filter::default() },
            ] {
                assert_eq!(tally.count(&filter), None, "not counted ahead: {filter:?}");
            }
        }
        assert_eq!(store.tally(&ana).await.unwrap().count(&filters[0]), Some(4));
        for (most, counted) in [(3, 3), (4, 4), (99, 4)] {
            assert_eq!(store.count_up_to(&ana, &filters[0], most).await.unwrap(), counted, "no further than {most}");
        }
        assert_eq!(store.tally(&ana).await.unwrap().count(&filters[4]), Some(1));
    }

    async fn writing_the_same_evening_twice_writes_it_once(store: Store) {
        let evening = evening("BJ-04");
        let first = store.write("site", &evening, at(0)).await.unwrap();
        assert_eq!((first.rounds, first.flags), (evening.len() as u64, 3));
        let entries = store.log_from(1, 100).await.unwrap().len();

        let second = store.write("site", &evening, at(60)).await.unwrap();

        assert_eq!(second, review::store::ingest::Written::default());
        assert_eq!(store.log_from(1, 100).await.unwrap().len(), entries);
    }

    async fn a_changed_verdict_is_a_new_entry_and_the_flag_is_new_again(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let mut evening = evening("BJ-04");
        store.write("site", &evening, at(0)).await.unwrap();
        store.decide(&ana, &[PUSH], &confirm(), at(10)).await.unwrap();
        let flag = evening.iter_mut().flat_map(|audited| &mut audited.flags).find(|flag| flag.id() == PUSH).unwrap();
        flag.money.amount = Money::from_minor(99_00);

        let written = store.write("site", &evening, at(60)).await.unwrap();

        assert_eq!((written.flags, written.changed, written.withdrawn), (0, 1, 0));
        let queued = store.flag(&ana, PUSH).await.unwrap();
        assert_eq!((queued.state.as_str(), queued.amount), ("new", 9900));
        let entries = store.entries(PUSH).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.entry).collect::<Vec<_>>(), [1, 2]);
        let actions: Vec<_> = store.decisions(PUSH).await.unwrap().into_iter().map(|decided| decided.action).collect();
        assert_eq!(actions, ["confirm", "reopen"]);
    }

    async fn better_evidence_for_the_same_verdict_does_not_reopen_it(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let mut evening = evening("BJ-04");
        store.write("site", &evening, at(0)).await.unwrap();
        store.decide(&ana, &[PUSH], &confirm(), at(10)).await.unwrap();
        let flag = evening.iter_mut().flat_map(|audited| &mut audited.flags).find(|flag| flag.id() == PUSH).unwrap();
        flag.confidence = "0.5".parse().unwrap();

        store.write("site", &evening, at(60)).await.unwrap();

        let queued = store.flag(&ana, PUSH).await.unwrap();
        assert_eq!((queued.state.as_str(), queued.confidence), ("confirmed", 500_000));
        assert_eq!(store.entries(PUSH).await.unwrap().len(), 2);
    }

    async fn a_flag_no_longer_found_is_withdrawn_and_comes_back_as_new(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let whole = evening("BJ-04");
        let mut less = whole.clone();
        for audited in &mut less {
            audited.flags.retain(|flag| flag.id() != PUSH);
        }
        store.write("site", &whole, at(0)).await.unwrap();

        assert_eq!(store.write("site", &less, at(60)).await.unwrap().withdrawn, 1);
        assert_eq!(store.flag(&ana, PUSH).await.unwrap().state, "withdrawn");
        let refused = store.decide(&ana, &[PUSH], &confirm(), at(61)).await;
        assert!(matches!(refused, Err(StoreError::Refused(_))));

        store.write("site", &whole, at(120)).await.unwrap();
        assert_eq!(store.flag(&ana, PUSH).await.unwrap().state, "new");
        assert_eq!(store.entries(PUSH).await.unwrap().len(), 3);
    }

    async fn a_round_read_anew_keeps_its_first_reading(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let mut evening = evening("BJ-04");
        store.write("site", &evening, at(0)).await.unwrap();
        evening[0].round.dealer = Some("D-999".parse().unwrap());

        let written = store.write("site", &evening, at(60)).await.unwrap();

        assert_eq!((written.rounds, written.reread), (0, 1));
        let name = format!("BJ-04.17.{}", evening[0].round.id.round);
        let round = store.round(&ana, &name).await.unwrap();
        assert_eq!((round.entry, round.dealer.as_deref()), (2, Some("D-999")));
        assert_eq!(round.parsed().unwrap(), Some(evening[0].round.clone()));
        assert_eq!(store.readings(&round).await.unwrap().len(), 2);
    }

    async fn the_queue_answers_every_question(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        for table in ["BJ-04", "BJ-05"] {
            store.write("site", &evening(table), at(0)).await.unwrap();
        }
        let ids = async |filter: Filter| -> Vec<String> {
            let page = store.list(&ana, &filter, None, 50).await.unwrap();
            assert_eq!(page.flags.len() as i64, store.count(&ana, &filter).await.unwrap());
            let whole = store.queue(&ana, &filter, None, 50).await.unwrap();
            assert!(whole.flags.iter().map(|queued| &queued.flag).eq(page.flags.iter().map(|listed| &listed.flag)));
            page.flags.into_iter().map(|listed| listed.flag).collect()
        };
        let all = ids(Filter::default()).await;
        assert_eq!(all.len(), 6);
        let one = |filter: Filter| Filter { tables: vec!["BJ-04".to_owned()], ..filter };
        assert_eq!(ids(one(Filter::default())).await.len(), 3);
        assert_eq!(ids(one(Filter { check: Some("paid_a_push".to_owned()), ..Filter::default() })).await, [PUSH]);
        assert_eq!(ids(one(Filter { clause: Some("nz-5.1(e)".to_owned()), ..Filter::default() })).await, [PUSH]);
        assert_eq!(ids(one(Filter { amount: Some(14_000), ..Filter::default() })).await, ["BJ-04.17.5.dealer_overdrew"]);
        assert_eq!(ids(Filter { doubts: Doubts::Only, ..Filter::default() }).await, Vec::<String>::new());
        assert_eq!(ids(Filter { states: vec![State::Confirmed], ..Filter::default() }).await, Vec::<String>::new());
        assert_eq!(ids(Filter { kinds: vec!["equipment".to_owned()], ..Filter::default() }).await, Vec::<String>::new());
        assert_eq!(ids(Filter { until: Some(Utc::EPOCH), ..Filter::default() }).await, Vec::<String>::new());
        assert_eq!(ids(Filter { from: Some(Utc::EPOCH), ..Filter::default() }).await.len(), 6);
        assert_eq!(ids(Filter { dealer: Some("nobody".to_owned()), ..Filter::default() }).await, Vec::<String>::new());
        let found = evening("BJ-04");
        for least in Severity::ALL {
            let severe = support::flags(&found).iter().filter(|flag| flag.severity >= *least).count();
            assert_eq!(ids(one(Filter { least: Some(*least), ..Filter::default() })).await.len(), severe, "{least}");
        }
        let decision = Decision { action: Action::Assign, reason: "", assignee: Some("ana") };
        store.decide(&ana, &[PUSH], &decision, at(1)).await.unwrap();
        assert_eq!(ids(Filter { assignee: Some("me".to_owned()), ..Filter::default() }).await, [PUSH]);
        assert_eq!(ids(Filter { assignee: Some("ana".to_owned()), ..Filter::default() }).await, [PUSH]);
        assert_eq!(ids(Filter { assignee: Some("nobody".to_owned()), ..Filter::default() }).await.len(), 5);
        assert_eq!(ids(Filter { unread: true, ..Filter::default() }).await.len(), 5, "who decides has seen it");
    }

    async fn pages_of_the_queue_meet_without_gap_or_overlap(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        for table in 1..=5 {
            store.write("site", &evening(&format!("T-{table}")), at(0)).await.unwrap();
        }
        // Of several states, with doubts or without: what comes first comes first whatever its state.
        store.decide(&ana, &["T-1.17.3.paid_a_push.1a", "T-4.17.3.paid_a_push.1a"], &confirm(), at(1)).await.unwrap();
        let any = Filter { states: vec![], doubts: Doubts::With, ..Filter::default() };
        let twice = Filter { states: vec![State::New, State::Confirmed, State::New], ..Filter::default() };
        for (filter, order) in [&any, &twice].into_iter().flat_map(|filter| Order::ALL.iter().map(move |o| (filter, *o))) {
            let filter = Filter { order, ..filter.clone() };
            let whole = store.list(&ana, &filter, None, 50).await.unwrap();
            assert_eq!((whole.flags.len(), whole.next), (15, None));
            let keys = whole.flags.iter().map(|listed| match order {
                Order::Weight => (listed.severity, listed.at, listed.id),
                Order::Time => (0, listed.at, listed.id),
                Order::Money => (listed.amount, listed.at, listed.id),
            });
            assert!(keys.is_sorted_by(|before, after| before > after), "{order}");
            let mut pieced = Vec::new();
            let mut after = None;
            loop {
                let page = store.list(&ana, &filter, after, 4).await.unwrap();
                pieced.extend(page.flags.into_iter().map(|listed| listed.flag));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            let whole: Vec<_> = whole.flags.into_iter().map(|listed| listed.flag).collect();
            assert_eq!(pieced, whole, "{order}");
        }
    }

    async fn the_numbers_kept_of_flags_that_wait_follow_whatever_happens_to_them(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let fewer = Officer { tables: Tables::Only(["BJ-05".to_owned()].into()), ..ana.clone() };
        let mine = Filter { assignee: Some("me".to_owned()), ..Filter::default() };
        let escalated = Filter { states: vec![State::Escalated], doubts: Doubts::With, ..Filter::default() };
        let counts = async |officer: &Officer| {
            let tally = store.tally(officer).await.unwrap();
            let mut counts = Vec::new();
            for filter in [&Filter::default(), &mine, &escalated] {
                let kept = tally.count(filter).unwrap();
                assert_eq!(kept, store.count(officer, filter).await.unwrap(), "{filter:?}");
                counts.push(kept);
            }
            counts
        };
        let decide = async |action, assignee, seconds| {
            store.decide(&ana, &[PUSH], &Decision { action, reason: "", assignee }, at(seconds)).await.unwrap()[0]
        };
        store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        assert_eq!(counts(&ana).await, [3, 0, 0], "written");
        decide(Action::Assign, Some("ana"), 1).await;
        assert_eq!(counts(&ana).await, [3, 1, 0], "taken on");
        decide(Action::Escalate, None, 2).await;
        assert_eq!(counts(&ana).await[2], 1, "escalated");
        let last = decide(Action::Dismiss, None, 3).await;
        assert_eq!(counts(&ana).await, [2, 0, 0], "dismissed");
        store.undo(&ana, last, at(4)).await.unwrap();
        assert_eq!(counts(&ana).await[2], 1, "undone");
        decide(Action::Reopen, None, 5).await;
        assert_eq!(counts(&ana).await[0], 3, "reopened");
        let mut again = evening("BJ-04");
        again.iter_mut().for_each(|audited| audited.flags.clear());
        store.write("site", &again, at(6)).await.unwrap();
        assert_eq!(counts(&ana).await, [0, 0, 0], "withdrawn by a later audit");
        store.write("site", &evening("BJ-05"), at(7)).await.unwrap();
        assert_eq!((counts(&ana).await[0], counts(&fewer).await[0]), (3, 3), "another table");
        assert_eq!(counts(&Officer { tables: Tables::Only(["BJ-04".to_owned()].into()), ..ana.clone() }).await[0], 0);
    }

    async fn a_table_is_watched_until_nobody_says_so_any_more(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let watch = |doing: Doing, seconds: i64| Watch {
            table_name: "BJ-04".to_owned(),
            at: at(seconds).micros(),
            doing: doing.name().to_owned(),
            since_at: Some(at(0).micros()),
            heard_at: None,
            lag: Some(38_000),
            lag_half: Some(31_000),
            lag_most: Some(120_000),
            waiting: 2,
            failure: String::new(),
        };
        for (doing, seconds) in [(Doing::Starting, 0), (Doing::Watching, 5)] {
            store.watched(&[watch(doing, seconds)]).await.unwrap();
        }
        let kept = store.watches(&ana).await.unwrap();
        assert_eq!(kept, [watch(Doing::Watching, 5)], "the last word counts");
        assert_eq!((kept[0].doing(at(24)), kept[0].doing(at(26))), (Some(Doing::Watching), None), "silence");
        store.watched(&[watch(Doing::Stopped, 7)]).await.unwrap();
        assert_eq!(store.watches(&ana).await.unwrap()[0].doing(at(8)), None);
        let ben = Officer { tables: Tables::Only(["BJ-05".to_owned()].into()), ..ana };
        assert!(store.watches(&ben).await.unwrap().is_empty(), "not at his tables");
    }

    async fn officers_see_their_tables_only(store: Store) {
        let only = Tables::Only(["BJ-05".to_owned()].into());
        let ben = officer_at(&store, "ben", Role::Officer, only).await;
        for table in ["BJ-04", "BJ-05"] {
            store.write("site", &evening(table), at(0)).await.unwrap();
        }
        let page = store.queue(&ben, &Filter::default(), None, 50).await.unwrap();
        assert!(page.flags.len() == 3 && page.flags.iter().all(|queued| queued.table_name == "BJ-05"));
        assert!(matches!(store.flag(&ben, PUSH).await, Err(StoreError::Missing(_))));
        assert!(matches!(store.round(&ben, "BJ-04.17.3").await, Err(StoreError::Missing(_))));
        assert!(matches!(store.decide(&ben, &[PUSH], &confirm(), at(1)).await, Err(StoreError::Missing(_))));
        assert!(matches!(store.shoe_rounds(&ben, "BJ-04", 17).await, Err(StoreError::Missing(_))));
        assert_eq!(store.tables(&ben).await.unwrap(), ["BJ-05"]);
    }

    async fn a_decision_can_be_undone_for_ten_seconds_by_its_maker(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let ben = officer(&store, "ben", Role::Officer).await;
        store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let made = store.decide(&ana, &[PUSH], &confirm(), at(100)).await.unwrap()[0];
        assert_eq!(store.flag(&ana, PUSH).await.unwrap().state, "confirmed");

        assert!(matches!(store.undo(&ben, made, at(101)).await, Err(StoreError::Refused(_))));
        assert!(matches!(store.undo(&ana, made, at(111)).await, Err(StoreError::Refused(_))));
        assert_eq!(store.undo(&ana, made, at(110)).await.unwrap(), PUSH);

        let queued = store.flag(&ana, PUSH).await.unwrap();
        assert_eq!((queued.state.as_str(), &queued.decided_by), ("new", &None));
        assert!(matches!(store.undo(&ana, made, at(110)).await, Err(StoreError::Refused(_))), "only once");
        let history = store.decisions(PUSH).await.unwrap();
        assert_eq!(history.iter().map(|decided| decided.action.as_str()).collect::<Vec<_>>(), ["confirm", "undo"]);
        assert_eq!(history[1].undoes, Some(made));
    }

    async fn deciding_many_is_all_or_nothing(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let decided = store.decide(&ana, &[PUSH, "BJ-04.17.9.no_such"], &confirm(), at(1)).await;
        assert!(matches!(decided, Err(StoreError::Missing(_))));
        assert_eq!(store.flag(&ana, PUSH).await.unwrap().state, "new");
        assert_eq!(store.decisions(PUSH).await.unwrap().len(), 0);
    }

    async fn history_refuses_to_be_edited(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        store.decide(&ana, &[PUSH], &confirm(), at(1)).await.unwrap();
        store.add_note(&ana, Subject::Flag, PUSH, "spoke to the pit", at(2)).await.unwrap();
        for sql in [
            "update log set actor = 'nobody'",
            "delete from log",
            "update flags set withdrawn = true",
            "delete from flags",
            "update rounds set dealer = null",
            "update rounds set document = '{}'",
            "delete from rounds",
            "update decisions set reason = ''",
            "delete from decisions",
            "update notes set text = 'x'",
            "delete from notes",
        ] {
            let refused = match &store {
                Store::Sqlite { writes: pool, .. } => sqlx::query(sql).execute(pool).await.map(drop),
                Store::Postgres(pool) => sqlx::query(sql).execute(pool).await.map(drop),
            };
            assert!(refused.unwrap_err().to_string().contains("only ever added to"), "{sql}");
        }
    }

    async fn a_round_has_its_neighbours_and_its_flags(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let evening = evening("BJ-04");
        store.write("site", &evening, at(0)).await.unwrap();
        let round = store.round(&ana, "BJ-04.17.3").await.unwrap();
        let (before, after) = store.neighbours(&round, 2).await.unwrap();
        assert_eq!(before.iter().map(|key| key.round).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(after.iter().map(|key| (key.round, key.flags)).collect::<Vec<_>>(), [(4, 0), (5, 1)]);
        let flags = store.flags_of_round(&ana, "BJ-04", 17, 3).await.unwrap();
        assert_eq!(flags.iter().map(|queued| queued.flag.as_str()).collect::<Vec<_>>(), [PUSH]);
        assert_eq!(store.shoe_rounds(&ana, "BJ-04", 17).await.unwrap().len(), evening.len());
        assert_eq!(store.shoes("BJ-04", 5).await.unwrap()[0].rounds, evening.len() as i64);
    }

    async fn cases_are_numbered_in_sequence_and_a_locked_one_stays_as_it_is(store: Store) {
        let ida = officer(&store, "ida", Role::Investigator).await;
        store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let fields = Fields { title: "Box 1 disputes round 3".to_owned(), incident_at: at(0).micros(), ..Fields::default() };
        let first = store.open_case(&ida, "site", CaseKind::Dispute, &fields, at(1)).await.unwrap();
        let second = store.open_case(&ida, "site", CaseKind::Incident, &fields, at(2)).await.unwrap();
        assert_eq!([store.case(first).await.unwrap().number, store.case(second).await.unwrap().number], [1, 2]);

        store.add_to_case(&ida, first, Member::Flag, PUSH, at(3)).await.unwrap();
        let written = Fields { nature: "A push was paid".to_owned(), second_auditor: Some("ida".to_owned()), ..fields.clone() };
        store.edit_case(&ida, first, &written, at(4)).await.unwrap();
        store.lock_case(&ida, first, at(5)).await.unwrap();

        let case = store.case(first).await.unwrap();
        assert_eq!((case.fields, case.locked_by.as_deref()), (written, Some("ida")));
        assert!(matches!(store.edit_case(&ida, first, &fields, at(6)).await, Err(StoreError::Refused(_))));
        assert!(matches!(store.take_from_case(&ida, first, Member::Flag, PUSH, at(6)).await, Err(StoreError::Refused(_))));
        assert!(matches!(store.close_case(&ida, first, true, at(6)).await, Err(StoreError::Refused(_))));
        assert_eq!(store.case_members(first).await.unwrap().len(), 1);
        assert_eq!(store.case_changes(first).await.unwrap().len(), 4);
        assert_eq!(store.cases_of(Member::Flag, PUSH).await.unwrap().len(), 1);
        let untitled = Fields::default();
        assert!(store.open_case(&ida, "site", CaseKind::Dispute, &untitled, at(7)).await.is_err());
    }

    async fn dealers_are_counted_with_their_errors(store: Store) {
        let ana = officer(&store, "ana", Role::Officer).await;
        let evening = evening("BJ-04");
        store.write("site", &evening, at(0)).await.unwrap();
        store.decide(&ana, &[PUSH], &Decision { action: Action::Dismiss, ..confirm() }, at(1)).await.unwrap();
        let question =
            Question { whose: Whose::Table, name: None, from: Utc::EPOCH, until: at(86_400 * 365), weekly: false };
        let all = store.stretches(&ana, &question).await.unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].name.as_str(), all[0].rounds, all[0].errors), ("BJ-04", evening.len() as u64, 2));
        assert_eq!(all[0].rate(), review::interval::Rate::TooFew);
        let weekly = store.stretches(&ana, &Question { weekly: true, ..question }).await.unwrap();
        assert_eq!(weekly.iter().map(|week| week.hands).sum::<u64>(), all[0].hands);
    }
}
