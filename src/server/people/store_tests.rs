//! Tests of the database of the people.

use super::*;
use crate::people::{AssignmentDraft, FeedbackLevel, LateRule};

const HOUR: i64 = 3_600_000;

fn store() -> (tempfile::TempDir, PeopleStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = PeopleStore::open(folder.path()).unwrap();
    (folder, store)
}

/// Returns a fixed hash that no password matches. Computing real hashes would make the tests slow.
fn hash() -> PasswordHash {
    PasswordHash::of_nobody()
}

fn teacher(store: &PeopleStore) -> Account {
    store.set_up(&NewAccount::new("teach", "T").unwrap(), &hash(), 0).unwrap()
}

fn invitation_of(role: PersonRole, name: Option<&str>) -> NewInvitation {
    NewInvitation { role, name: name.map(str::to_owned), person: None, single_use: name.is_some() }
}

#[test]
fn only_the_first_account_is_made_without_an_invitation() {
    let (folder, store) = store();
    assert!(store.is_empty().unwrap());
    let made = teacher(&store);
    assert_eq!((made.role, store.is_empty().unwrap()), (PersonRole::Teacher, false));
    let again = store.set_up(&NewAccount::new("other", "O").unwrap(), &hash(), 0).unwrap_err();
    assert!(again.to_string().contains("has been set up already"), "{again}");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs_err::metadata(folder.path().join(PEOPLE_FILE)).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    drop(store);
    assert_eq!(PeopleStore::open(folder.path()).unwrap().accounts().unwrap(), [made]);
}

#[test]
fn an_invitation_for_a_name_is_accepted_once_and_one_for_all_often() {
    let (_folder, store) = store();
    teacher(&store);
    let new = [invitation_of(PersonRole::Student, Some("Ann")), invitation_of(PersonRole::Assistant, None)];
    let made = store.invite(&new, 0).unwrap();
    let [(_, ann), (all, code)] = &made[..] else { panic!("expected two invitations") };
    let account = store.join(ann, ("ann", "ignored"), &hash(), 1).unwrap();
    assert_eq!((account.name.as_str(), account.role), ("Ann", PersonRole::Student));
    assert!(store.join(ann, ("other", "O"), &hash(), 1).unwrap_err().to_string().contains("already used"));
    for login in ["b", "c"] {
        assert_eq!(store.join(code, (login, "Name"), &hash(), 1).unwrap().role, PersonRole::Assistant);
    }
    assert!(
        store
            .join(code, ("ANN", "Name"), &hash(), 1)
            .unwrap_err()
            .to_string()
            .contains("another account has the login")
    );
    assert!(store.join(code, ("d", "D"), &hash(), 30 * 24 * HOUR).is_err(), "an invitation lasts thirty days");
    assert!(store.revoke_invitation(&all.id).unwrap() && !store.revoke_invitation(&all.id).unwrap());
    assert_eq!(store.invitation(code, 1).unwrap(), None);
}

#[test]
fn a_login_that_is_taken_does_not_use_an_invitation_up() {
    let (_folder, store) = store();
    teacher(&store);
    let code = store.invite(&[invitation_of(PersonRole::Student, Some("Ann"))], 0).unwrap().remove(0).1;
    assert!(store.join(&code, ("teach", ""), &hash(), 1).is_err());
    assert!(store.join(&code, ("ann", ""), &hash(), 1).is_ok());
}

#[test]
fn sessions_end_when_they_are_idle_and_when_the_person_is_changed() {
    let (_folder, store) = store();
    let person = teacher(&store);
    let secret = store.start_session(&person.id, 0).unwrap();
    let live = |now| store.session(&secret, now).unwrap().is_some();
    assert!(live(0) && live(11 * HOUR) && live(22 * HOUR), "each use prolongs the session");
    assert!(!live(34 * HOUR));
    assert!(store.session("", 0).unwrap().is_none());
    let other = store.start_session(&person.id, 0).unwrap();
    store.set_password(&person.id, &hash(), Some(&other)).unwrap();
    assert!(store.session(&secret, 1).unwrap().is_none() && store.session(&other, 1).unwrap().is_some());
    store.end_session(&other).unwrap();
    assert!(store.session(&other, 1).unwrap().is_none());
    let stored: String = store
        .read(|db| db.query_row("SELECT coalesce(group_concat(hash), '') FROM sessions", [], |row| row.get(0)))
        .unwrap();
    assert!(!stored.contains(&secret) && !stored.contains(&other), "the ids are not in the database");
}

#[test]
fn a_login_keeps_the_sessions_that_were_started_after_its_time() {
    let (_folder, store) = store();
    let person = teacher(&store);
    // A thread reads the clock before it waits for the database, so a later session may be stored first.
    let later = store.start_session(&person.id, 11).unwrap();
    let earlier = store.start_session(&person.id, 10).unwrap();
    assert!(store.session(&later, 11).unwrap().is_some() && store.session(&earlier, 11).unwrap().is_some());
}

#[test]
fn the_last_teacher_stays_and_a_disabled_person_is_out() {
    let (_folder, store) = store();
    let first = teacher(&store);
    assert!(store.change(&first.id, None, Some(true)).unwrap_err().to_string().contains("without a teacher"));
    assert!(store.change(&first.id, Some(PersonRole::Student), None).is_err());
    let code = store.invite(&[invitation_of(PersonRole::Student, None)], 0).unwrap().remove(0).1;
    let ann = store.join(&code, ("ann", "Ann"), &hash(), 0).unwrap();
    let session = store.start_session(&ann.id, 0).unwrap();
    let (record, token) = store.add_token(&ann.id, "script", 0).unwrap();
    assert_eq!(store.token(&token).unwrap().map(|account| account.id), Some(ann.id.clone()));
    assert_eq!(store.tokens(&ann.id).unwrap(), std::slice::from_ref(&record));
    assert!(!store.revoke_token(&first.id, &record.id).unwrap(), "the token of another person");
    store.change(&ann.id, None, Some(true)).unwrap();
    assert!(store.session(&session, 1).unwrap().is_none() && store.token(&token).unwrap().is_none());
    assert!(store.login("ann").unwrap().is_none());
    store.change(&ann.id, Some(PersonRole::Teacher), Some(false)).unwrap();
    assert!(store.change(&first.id, None, Some(true)).is_ok());
}

#[test]
fn a_reset_sets_the_password_of_one_person() {
    let (_folder, store) = store();
    let person = teacher(&store);
    let session = store.start_session(&person.id, 0).unwrap();
    let reset = NewInvitation { role: person.role, name: None, person: Some(person.id.clone()), single_use: true };
    let code = store.invite(&[reset], 0).unwrap().remove(0).1;
    assert_eq!(store.join(&code, ("ignored", "ignored"), &PasswordHash::stored("new".to_owned()), 0).unwrap(), person);
    assert_eq!(store.login("teach").unwrap().unwrap().1.as_str(), "new");
    assert!(store.session(&session, 0).unwrap().is_none());
}

#[test]
fn a_new_password_ends_all_links_that_set_one() {
    let (_folder, store) = store();
    let person = teacher(&store);
    let reset = NewInvitation { role: person.role, name: None, person: Some(person.id.clone()), single_use: true };
    let links = || store.invite(&[reset.clone(), reset.clone()], 0).unwrap();
    let made = links();
    store.join(&made[0].1, ("", ""), &hash(), 0).unwrap();
    assert!(store.join(&made[1].1, ("", ""), &hash(), 0).is_err(), "another link for the same person was used");
    let made = links();
    store.set_password(&person.id, &hash(), None).unwrap();
    assert!(store.join(&made[0].1, ("", ""), &hash(), 0).is_err(), "the person has chosen another password");
}

#[test]
fn a_person_has_a_limited_number_of_sessions() {
    let (_folder, store) = store();
    let person = teacher(&store);
    let first = store.start_session(&person.id, 0).unwrap();
    let second = store.start_session(&person.id, 1).unwrap();
    // The first session was used, so the second one has been idle for the longest time.
    assert!(store.session(&first, 2 * SEEN_INTERVAL).unwrap().is_some());
    let others: Vec<String> =
        (0..MOST_SESSIONS - 1).map(|_| store.start_session(&person.id, 2 * SEEN_INTERVAL).unwrap()).collect();
    let live = |secret: &String| store.live_session(secret, 2 * SEEN_INTERVAL).unwrap().is_some();
    assert!(live(&first) && !live(&second) && others.iter().all(live));
}

#[test]
fn an_open_page_does_not_prolong_its_session() {
    let (_folder, store) = store();
    let person = teacher(&store);
    let session = store.start_session(&person.id, 0).unwrap();
    for hour in 1..12 {
        assert!(store.live_session(&session, hour * HOUR).unwrap().is_some(), "{hour}");
    }
    assert!(store.live_session(&session, 12 * HOUR).unwrap().is_none());
    assert!(store.session(&session, 11 * HOUR).unwrap().is_some());
    assert!(store.live_session(&session, 12 * HOUR).unwrap().is_some(), "the session was used");
}

#[test]
fn a_link_for_everybody_does_not_fill_the_database() {
    let (_folder, store) = store();
    teacher(&store);
    let code = store.invite(&[invitation_of(PersonRole::Student, None)], 0).unwrap().remove(0).1;
    let rows = "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO people SELECT 'id' || i, 'login' || i, 'N', 'student', 'x', 0, 0 FROM n";
    store.write(|batch| Ok(Ok(batch.execute(rows, [MOST_PEOPLE - 1])?))).unwrap();
    assert!(store.join(&code, ("last", "L"), &hash(), 0).is_ok());
    let full = store.join(&code, ("more", "M"), &hash(), 0).unwrap_err();
    assert!(full.to_string().contains("which is the maximum"), "{full}");
}

#[test]
fn assignments_and_the_setting_are_kept() {
    let (folder, store) = store();
    let draft = AssignmentDraft {
        name: "Week 1".to_owned(),
        problems: vec!["sum".parse().unwrap(), "max".parse().unwrap()],
        start: 10,
        end: 20,
        late: LateRule::Accept,
        feedback: FeedbackLevel::Full,
    };
    let made = store.add_assignment(draft.clone()).unwrap();
    let changed =
        store.change_assignment(&made.id, AssignmentDraft { name: "Week 2".to_owned(), ..draft.clone() }).unwrap();
    assert!(store.change_assignment("none", draft).is_err());
    assert!(!store.is_restricted().unwrap());
    store.set_restricted(true).unwrap();
    drop(store);
    let store = PeopleStore::open(folder.path()).unwrap();
    assert!(store.is_restricted().unwrap());
    assert_eq!(store.assignments().unwrap(), [changed]);
    assert!(store.remove_assignment(&made.id).unwrap() && store.assignment(&made.id).unwrap().is_none());
}
