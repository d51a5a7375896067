// Mistake: gives the stones on step i the value i times their number, as they have i moves to go.
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
	for i := 1; i <= n; i++ {
		fmt.Fscan(in, &a)
		x ^= a * i
	}
	if x != 0 {
		fmt.Println("Yes")
	} else {
		fmt.Println("No")
	}
}
