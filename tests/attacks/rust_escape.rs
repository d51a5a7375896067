// Tries to start threads and a daemon, to open a connection and to read the secret, from Rust.
// expect A B C: blocked
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if std::fs::read(format!("{}/secret", arguments[1])).is_ok() {
        println!("ESCAPED: the secret");
        std::process::exit(1);
    }
    if std::net::TcpStream::connect(format!("127.0.0.1:{}", arguments[2])).is_ok() {
        println!("ESCAPED: a connection");
        std::process::exit(1);
    }
    let _ = std::process::Command::new("/bin/sleep").arg("1000").spawn();
    std::thread::spawn(|| loop {
        std::thread::sleep(std::time::Duration::from_secs(1));
    });
}
