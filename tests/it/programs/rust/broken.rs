fn main() {
    let missing: i32 = nowhere;
}
