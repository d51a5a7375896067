// Mistake: goes round through zero even where the heap has no r + 1 stones to spare.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	var r, x int64
	fmt.Fscan(in, &n, &r)
	a := make([]int64, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
		x ^= a[i] % (r + 1)
	}
	count := 0
	for _, v := range a {
		if x != 0 && (v%(r+1))^x <= r {
			count++
		}
	}
	fmt.Println(count)
}
