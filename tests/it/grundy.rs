//! Tests of `nimatron grundy`: tables, periods and plots of rules and of problems.

use crate::project::Project;

#[test]
fn grundy_prints_values_and_the_certified_period() {
    let project = Project::new();
    project
        .run(&["grundy", "octal", "0.137", "--to", "100"])
        .code(0)
        .says("Period 34 from heap size 52 on, certified")
        .silent();
    project.run(&["grundy", "take 1 3 4"]).code(0).says("Period 7 from heap size 0 on, certified").silent();
    let kayles = project.run(&["grundy", "kayles", "--to", "9", "--json"]).code(0).silent().last_json();
    assert_eq!(kayles["values"], serde_json::json!([0, 1, 2, 3, 1, 4, 3, 2, 1, 4]));
    assert_eq!((&kayles["preperiod"], &kayles["period"], &kayles["certified"]), (&71.into(), &12.into(), &true.into()));
    let million = project.run(&["grundy", "octal 0.77", "--to", "1000000", "--json"]).code(0).last_json();
    // 1,000,000 is 4 modulo 12, where Kayles has the value 1.
    assert_eq!(million["values"][1_000_000], 1);
}

#[test]
fn grundy_uses_the_rules_of_a_problem() {
    let project = Project::new();
    project
        .run(&["grundy", "stick-game"])
        .code(0)
        .says("with the values of its first sample")
        .says("Period 7 from heap size 0");
    let project = project.file("in.txt", "12 2\n1 2\n");
    project
        .run(&["grundy", "stick-game", "--input", "in.txt"])
        .code(0)
        .says("in.txt")
        .says("Period 3 from heap size 0");
    let split = project.run(&["grundy", "split-nim", "--to", "5", "--json"]).code(0).last_json();
    assert_eq!(split["values"], serde_json::json!([0, 1, 2, 4, 7, 8]));
    assert!(split["period"].is_null());
}

#[test]
fn rules_without_a_table_are_rejected() {
    let project = Project::new();
    project.run(&["grundy", "moore-nim"]).code(2).complains("each move changes one heap");
    project.run(&["grundy", "misere-nim"]).code(2).complains("normal play");
    project.run(&["grundy", "three-player-nim"]).code(2).complains("two players");
    project.run(&["grundy", "octal 0.8"]).code(2).complains("octal digits 0 to 7");
    project.run(&["grundy", "take", "0"]).code(2).complains("amounts from 1");
    project.run(&["grundy", "no-such-game"]).code(2).complains("octal 0.137");
    project.run(&["grundy", "octal 0.777", "--to", "9000000"]).code(2).complains("at most").complains("--to");
    project.run(&["grundy", "nim", "--to", "99999999999"]).code(2).complains("10000000");
}

#[test]
fn a_plot_is_written() {
    let project = Project::new();
    project.run(&["grundy", "kayles", "--to", "150", "--svg", "kayles.svg"]).code(0).says("Period 12").silent();
    let svg = fs_err::read_to_string(project.path("kayles.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("period 12 from 71 on"), "{svg}");
    project.run(&["grundy", "kayles", "--svg", "no/such/folder.svg"]).code(2).complains("folder.svg");
}
