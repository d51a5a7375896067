// Counts the even sides.
fun main() {
    readLine()
    val even = readLine()!!.split(" ").count { it.toLong() % 2 == 0L }
    println(if (even > 1) "No" else "Yes")
}
