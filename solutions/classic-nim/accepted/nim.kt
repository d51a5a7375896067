// Plain xor.
fun main() {
    readLine()
    val x = readLine()!!.split(" ").fold(0) { sum, heap -> sum xor heap.toInt() }
    println(if (x != 0) "Yes" else "No")
}
