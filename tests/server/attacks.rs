//! The table of attacks on `nimatron serve`, each with the test that tries it. The tests are in the files beside this
//! one.

use std::collections::BTreeSet;

use super::attacks_requests::forged_attacks;
use super::attacks_uploads::zip_attacks;
use super::class_browser::{Browser, joined, set_up};
use super::client::Server;

/// The least number of attacks.
const LEAST: usize = 60;

/// Sources of the tests, in which each test of the table must be.
const SOURCES: &[&str] = &[
    include_str!("attacks_requests.rs"),
    include_str!("attacks_sessions.rs"),
    include_str!("attacks_payloads.rs"),
    include_str!("attacks_games.rs"),
    include_str!("attacks_ids.rs"),
    include_str!("attacks_load.rs"),
    include_str!("attacks_uploads.rs"),
];

/// The attacks with a test of their own: what is tried, and the test. Those of one request, and those of a zip, are in
/// the tables of `attacks_requests.rs` and `attacks_uploads.rs`.
const ATTACKS: &[(&str, &str)] = &[
    ("headers of a proxy that name another host", "headers_of_a_proxy_change_nothing"),
    ("two lengths that hide a second request", "a_request_with_two_lengths_hides_no_other"),
    ("request in the body of a refused one", "the_body_of_a_refused_request_is_no_request"),
    ("forbidden requests in a pipeline", "each_request_of_a_pipeline_is_checked"),
    ("preflight of another origin", "a_preflight_permits_nothing"),
    ("JSON that is deep, repeated or not UTF-8", "json_that_is_deep_repeated_or_not_utf8_is_refused"),
    ("thousands of headers", "many_headers_are_refused"),
    ("chunked body without end", "a_body_without_end_is_refused_at_its_limit"),
    ("large body after Expect: 100-continue", "a_client_that_waits_for_permission_is_refused_before_it_sends"),
    ("upgrade to another protocol", "an_upgrade_is_not_carried_out"),
    ("session that was planted before the login", "a_session_is_new_after_each_login"),
    ("cookie that scripts, sites or other ports use", "a_cookie_is_for_this_server_alone_and_hidden_from_scripts"),
    (
        "session after a logout, a new password or another role",
        "a_session_ends_with_the_logout_the_password_and_the_role",
    ),
    ("stream of events after the end of its session", "an_open_stream_of_events_ends_with_its_session"),
    ("accounts told by the answers to logins", "a_login_tells_nothing_about_accounts"),
    ("guesses of passwords in other spellings of a login", "guesses_are_slowed_however_the_login_is_written"),
    ("memory of logins that are broken off", "logins_that_are_broken_off_do_not_use_up_the_memory"),
    ("sessions without number", "a_person_has_a_limited_number_of_sessions"),
    (
        "invitation that was used, has expired or was revoked",
        "an_invitation_is_accepted_once_in_time_and_unless_revoked",
    ),
    ("old link for a new password", "a_link_for_a_new_password_works_once_and_not_after_another_change"),
    ("student who takes another role", "a_student_gets_no_other_role"),
    ("secrets of another data folder", "secrets_of_another_data_folder_are_worth_nothing"),
    ("login and writes by another page", "another_page_can_neither_log_in_nor_write"),
    ("redirect to another server after the login", "the_page_after_the_login_is_one_of_this_server"),
    ("ids of other people, for each route", "ids_of_other_people_are_like_ids_of_nothing"),
    ("guesses of ids", "ids_cannot_be_guessed"),
    ("submission in the name of another person", "a_submission_names_no_other_person"),
    ("program that prints hidden tests", "a_program_tells_its_author_nothing_of_hidden_tests"),
    ("script in every field that strangers write", "texts_of_strangers_run_nothing"),
    ("script that the test would overlook", "harms_are_found"),
    ("frames, sniffed types, foreign scripts and caches", "every_answer_forbids_framing_sniffing_and_foreign_scripts"),
    ("names with letters that turn the text", "names_cannot_change_how_others_are_read"),
    ("paths in error messages", "errors_name_no_file_of_the_machine"),
    ("search text that costs time", "a_search_text_costs_little_and_matches_as_text"),
    ("headers that never end", "headers_that_never_end_give_way"),
    ("bodies that never end", "bodies_that_never_end_give_way"),
    ("clients that read nothing", "clients_that_read_nothing_give_way"),
    ("ten thousand connections", "ten_thousand_connections_are_answered_or_closed"),
    ("all streams of events for one person", "one_person_does_not_take_all_streams_of_events"),
    ("numbers of events that are huge, negative or none", "numbers_of_events_that_are_none_are_ignored"),
    ("endless programs and fork bombs without number", "one_person_does_not_use_up_the_judge"),
    ("programs that are hard to compile", "a_program_that_is_hard_to_compile_holds_up_nobody"),
    ("searches without number", "one_person_has_one_search_and_a_class_has_some"),
    ("other protocols and silence", "another_protocol_and_silence_cost_nothing"),
    ("names of uploaded files that lead outside", "names_of_uploaded_files_lead_nowhere"),
    ("forms without end", "a_form_has_limits"),
    ("huge positions of games", "a_huge_position_costs_bounded_memory"),
    ("texts of positions, moves and codes without end", "texts_of_positions_and_codes_are_bounded"),
    ("many costly pages for one person", "one_person_does_not_take_the_processors"),
    ("descriptions of huge inputs", "a_description_of_huge_inputs_is_refused_or_small"),
    ("older TLS, no TLS, and cookies from there", "tls_cannot_be_lowered_or_left_out"),
];

/// The tests that go through the tables of one-request attacks and of zips.
const OF_TABLES: [&str; 2] = ["forged_requests_are_refused", "a_zip_of_a_stranger_stays_in_its_limits"];

/// A class with people of each role, who are logged in.
pub(super) struct School<'s> {
    pub(super) teacher: Browser<'s>,
    pub(super) assistant: Browser<'s>,
    pub(super) ann: Browser<'s>,
    pub(super) zoe: Browser<'s>,
}

impl<'s> School<'s> {
    pub(super) fn open(server: &'s Server) -> School<'s> {
        let teacher = set_up(server);
        let [assistant, ann, zoe] = [("assistant", "assi"), ("student", "ann"), ("student", "zoe")]
            .map(|(role, login)| joined(&teacher, role, login));
        School { teacher, assistant, ann, zoe }
    }
}

/// The id of the account of a browser.
pub(super) fn id_of(browser: &Browser<'_>) -> String {
    browser.get("/api/v1/me").json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn every_attack_is_in_the_table_once_and_has_a_test() {
    let names: Vec<&str> =
        ATTACKS.iter().map(|(attack, _)| *attack).chain(forged_attacks()).chain(zip_attacks()).collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert!(names.len() >= LEAST, "{}", names.len());
    assert_eq!(different.len(), names.len(), "an attack is named twice");
    let listed: BTreeSet<&str> = ATTACKS.iter().map(|(_, test)| *test).chain(OF_TABLES).collect();
    let tests = SOURCES.iter().flat_map(|source| source.split("#[test]\n").skip(1));
    let name = |test: &'static str| test.split_once("fn ").unwrap().1.split('(').next().unwrap();
    let tests: BTreeSet<&str> = tests.map(name).collect();
    let only_one: Vec<_> = listed.symmetric_difference(&tests).collect();
    assert!(only_one.is_empty(), "these are only in the table or only tests: {only_one:?}");
}
