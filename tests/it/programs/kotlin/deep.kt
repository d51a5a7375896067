@file:JvmName("DeepRecursion")

package games.nim

fun fold(n: Long): Long = if (n == 0L) 0L else (fold(n - 1) / 2 + n) % 1000003

fun main(args: Array<String>) {
    println(fold(readLine()!!.trim().toLong()))
}
