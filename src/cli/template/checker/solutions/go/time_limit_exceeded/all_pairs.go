// Too slow: tries all pairs.

package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, t int
	fmt.Fscan(in, &n, &t)
	a := make([]int, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	for j, y := range a {
		for i, x := range a[:j] {
			if x+y == t {
				fmt.Println(i+1, j+1)
				return
			}
		}
	}
	fmt.Println("0 0")
}
