//! Test that the requests in the guide to the API are answered as shown.

use crate::guide_shell::{follow, installed};

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_requests_of_the_guide_to_the_api_work_as_written() {
    if installed(&["bash", "python3", "curl", "jq"]) {
        follow("api");
    }
}
