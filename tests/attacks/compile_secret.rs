// Includes the secret.
// expect A B C: fails
fn main() {
    println!("{}", include_str!(env!("SECRET")));
}
