import java.util.StringTokenizer

fun main() {
    val n = readLine()!!.trim().toInt()
    val words = StringTokenizer(readLine())
    var sum = 0L
    repeat(n) { sum += words.nextToken().toLong() }
    println(sum)
}
