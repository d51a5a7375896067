// Mistake: makes the exception only if every heap is exactly one; an empty heap among them hides it.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var t int
	fmt.Fscan(in, &t)
	for ; t > 0; t-- {
		var n, a, x int
		ones := true
		fmt.Fscan(in, &n)
		for i := 0; i < n; i++ {
			fmt.Fscan(in, &a)
			x ^= a
			ones = ones && a == 1
		}
		if (x != 0) != ones {
			fmt.Println("John")
		} else {
			fmt.Println("Brother")
		}
	}
}
