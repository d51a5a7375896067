//! Test of a server that was built without the feature `cluster`.

use crate::project::Project;

#[test]
fn judging_on_other_machines_is_refused() {
    let project = Project::new().file("submissions/ann/classic-nim.py", "");
    for args in [
        &["serve", "--cluster", "nats://127.0.0.1:1"][..],
        &["worker", "--connect", "nats://127.0.0.1:1"],
        &["grade", "classic-nim", "submissions", "--cluster", "http://127.0.0.1:1"],
    ] {
        let ran = project.run(args).code(2);
        assert!(ran.stderr.contains("built without judging on other machines"), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("--features cluster"), "{args:?}: {ran:?}");
    }
}
