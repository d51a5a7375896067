fun main() {
    println(nowhere)
}
