//! Keys and TLS, with the `nats-server.conf` of the guide: what a worker may do, and what it may not.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::pin::Pin;

use futures_core::Stream as _;
use nimatron_cluster::{Client, NatsAddress, connect};
use serde_json::Value;

use crate::nats_server::NatsServer;
use crate::project::repository;
use crate::rig::{RIGHT, Rig, WRONG, free_port, slow, wait_until};

/// Returns the configuration of the guide with these keys.
fn configuration(serve: &str, worker: &str, folder: &Path) -> String {
    let root = repository();
    let guide = fs_err::read_to_string(root.join("src/guide/cluster.md")).unwrap();
    let block = guide.split("```\njetstream").nth(1).unwrap().split("```").next().unwrap();
    let certificate = |name: &str| root.join("tests/server/tls").join(name).display().to_string();
    format!("jetstream{block}")
        .replace("SERVE_KEY", serve)
        .replace("W1_KEY", worker)
        .replace("CERT_FILE", &format!("\"{}\"", certificate("cert.pem")))
        .replace("KEY_FILE", &format!("\"{}\"", certificate("key.pem")))
        .replace("/var/lib/nats", &format!("\"{}\"", folder.join("jetstream").display()))
}

#[test]
fn a_worker_may_do_nothing_but_its_own_work() {
    let keys = tempfile::tempdir().unwrap();
    let [serve, worker, stranger] = ["serve", "w1", "stranger"].map(|name| keys.path().join(name));
    let public = |path: &Path| nimatron_server::machines::create_user_key(path).unwrap();
    let config = configuration(&public(&serve), &public(&worker), keys.path());
    public(&stranger);
    let ca = repository().join("tests/server/tls/cert.pem");
    let options = |key: &Path| {
        let ca = ["--nats-ca".to_owned(), ca.display().to_string()];
        ["--nkey".to_owned(), key.display().to_string()].into_iter().chain(ca).collect::<Vec<String>>()
    };
    let Some(nats) = NatsServer::start_with(&config) else { return };
    let rig = Rig::start_at(nats, None, 0, options(&serve));
    let _worker = rig.worker_with("w1", 1, &rig.nats.url(), &options(&worker));
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC");
    let again = rig.submit(&format!("{RIGHT} # 2"));
    assert_eq!(rig.ended(&again)["verdict"], "AC");
    let names = rig.events(&again);
    assert!(names.iter().any(|name| name == "case_finished"), "{names:?}");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = |key: &Path| NatsAddress { url: rig.nats.url(), nkey: Some(key.to_owned()), ca: Some(ca.clone()) };
    runtime.block_on(async {
        for (key, ca) in [(Some(&stranger), true), (None, true), (Some(&worker), false)] {
            let address =
                NatsAddress { nkey: key.cloned(), ca: ca.then(|| address(&worker).ca).flatten(), ..address(&worker) };
            assert!(connect(&address, "w1").await.is_err(), "{key:?} {ca}");
        }
        let coordinator = connect(&address(&serve), "serve2").await.unwrap();
        let w1 = connect(&address(&worker), "w1").await.unwrap();
        // On a busy machine a message may take longer than the others are waited for.
        let mut is_heard = false;
        for _ in 0..20 {
            is_heard = is_heard || reaches(&w1, &coordinator, "nim.v1.worker.w1.all").await;
        }
        assert!(is_heard, "its own messages");
        let forbidden = [
            "nim.v1.worker.w2.all",
            "nim.v1.worker.w2.one",
            "nim.v1.job.main",
            "nim.v1.to.w2",
            "nim.v1.to.w1",
            "other",
        ];
        for subject in forbidden {
            assert!(!reaches(&w1, &coordinator, subject).await, "{subject} can be forged");
        }
        for subject in ["nim.v1.to.w2", "nim.v1.to.*", "nim.v1.worker.*.one", "_INBOX.>", "_INBOX.serve.>", ">"] {
            let sent = subject.replace('*', "w2").replace('>', "x");
            assert!(!hears(&w1, &coordinator, subject, &sent).await, "{subject} can be read");
        }
        for api in ["STREAM.DELETE.NIM_JOBS", "STREAM.PURGE.NIM_JOBS", "CONSUMER.DELETE.NIM_JOBS.main", "INFO"] {
            assert!(!reaches(&w1, &coordinator, &format!("$JS.API.{api}")).await, "{api}");
        }
    });
    assert_eq!(rig.ended(&rig.submit(&format!("{RIGHT} # 3")))["verdict"], "AC", "the attempts had no effect");
}

#[test]
fn files_and_a_class_travel_encrypted() {
    let keys = tempfile::tempdir().unwrap();
    let [serve, worker] = ["serve", "w1"].map(|name| keys.path().join(name));
    let public = |path: &Path| nimatron_server::machines::create_user_key(path).unwrap();
    let config = configuration(&public(&serve), &public(&worker), keys.path());
    let Some(nats) = NatsServer::start_with(&config) else { return };
    let tls = |name: &str| {
        let file = repository().join("tests/server/tls").join(name);
        file.display().to_string()
    };
    let credential = |key: &Path| ["--nkey", key.to_str().unwrap(), "--nats-ca", &tls("cert.pem")].map(str::to_owned);
    let port = free_port();
    let certificate = ["--tls-cert", &tls("cert.pem"), "--tls-key", &tls("key.pem")].map(str::to_owned);
    let options = [credential(&serve), certificate].concat();
    let rig = Rig::start_at(nats, Some(&format!("https://localhost:{port}")), port, options);
    let _worker = rig.worker_with("w1", 1, &rig.nats.url(), &credential(&worker));
    let folder = rig.project.path("class/ann");
    fs_err::create_dir_all(&folder).unwrap();
    fs_err::write(folder.join("sum.sh"), RIGHT).unwrap();
    let url = format!("https://localhost:{}", rig.server().port);
    let token = [("NIMATRON_TOKEN", rig.server().token.as_str())];
    let args = ["grade", "sum", "class", "--require", "D", "--cluster", &url, "--cluster-ca", &tls("cert.pem")];
    rig.project.run_with(&args, &token).code(0);
    assert!(rig.project.read("grades/gradebook.csv").contains("ann,100,100"));
    // The files are at an address that answers nobody without TLS.
    let mut plain = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{}", String::from_utf8_lossy(&answer));
}

#[test]
fn a_worker_cannot_write_into_the_log_of_a_program_of_another() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let worker = rig.worker("w1", 1);
    let wrong = rig.submit(WRONG);
    assert_eq!(rig.ended(&wrong)["verdict"], "WA");
    let (_, forged) = rig
        .server()
        .events(&wrong, None)
        .into_iter()
        .find(|(_, event)| event["event"] == "case_finished" && event.to_string().contains("\"WA\""))
        .unwrap();
    let run = rig.submit(&slow(0.1, 1));
    wait_until("the program does not start", || worker.started() == 2);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let address = NatsAddress { url: rig.nats.url(), ..NatsAddress::default() };
        let client = connect(&address, "w2").await.unwrap();
        // Whichever number the log has reached, one of the forged events continues it.
        let events: Vec<String> = (0..60).map(|number| with_number(&forged, number).to_string()).collect();
        for epoch in 0..3 {
            let message = serde_json::json!({ "job": 2, "epoch": epoch, "events": &events }).to_string();
            client.publish("nim.v1.worker.w2.event", message.into()).await.unwrap();
        }
        // More than may wait; `serve` drops the rest.
        let flood = serde_json::json!({ "job": 2, "epoch": 1, "events": ["x".repeat(500_000)] }).to_string();
        for _ in 0..200 {
            client.publish("nim.v1.worker.w2.event", flood.clone().into()).await.unwrap();
        }
        client.flush().await.unwrap();
    });
    assert_eq!(rig.ended(&run)["verdict"], "AC");
    let events = rig.server().events(&run, None);
    assert!(events.iter().all(|(_, event)| !event.to_string().contains("\"WA\"")), "{events:?}");
    assert_eq!(rig.events(&run).iter().filter(|name| *name == "case_finished").count(), 18);
}

fn with_number(event: &Value, number: u64) -> Value {
    let mut event = event.clone();
    event["number"] = number.into();
    event
}

/// Returns whether a message that one client publishes reaches another.
async fn reaches(from: &Client, to: &Client, subject: &str) -> bool {
    hears_from(from, to, subject, subject).await
}

/// Returns whether a client receives what another publishes.
async fn hears(client: &Client, from: &Client, subscribed: &str, published: &str) -> bool {
    hears_from(from, client, subscribed, published).await
}

async fn hears_from(from: &Client, to: &Client, subscribed: &str, published: &str) -> bool {
    let mut messages = to.subscribe(subscribed.to_owned()).await.unwrap();
    to.flush().await.unwrap();
    from.publish(published.to_owned(), "attack".into()).await.unwrap();
    from.flush().await.unwrap();
    let wait = std::time::Duration::from_millis(300);
    let next = std::future::poll_fn(|context| Pin::new(&mut messages).poll_next(context));
    tokio::time::timeout(wait, next).await.is_ok_and(|message| message.is_some())
}
