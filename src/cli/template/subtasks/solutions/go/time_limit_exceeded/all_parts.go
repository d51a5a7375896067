// Too slow for the last subtask: tries all parts.

package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	a := make([]int, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	best := a[0]
	for from := range a {
		sum := 0
		for _, x := range a[from:] {
			sum += x
			if sum > best {
				best = sum
			}
		}
	}
	fmt.Println(best)
}
