// Mistake: right, but the nim-sum printed while debugging is still in the output.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, a, x int
	fmt.Fscan(in, &n)
	for i := 0; i < n; i++ {
		fmt.Fscan(in, &a)
		x ^= a
	}
	fmt.Println("xor =", x)
	if x != 0 {
		fmt.Println("Yes")
	} else {
		fmt.Println("No")
	}
}
