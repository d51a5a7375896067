// Wrong answer: allows an empty part, whose sum is 0.

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
	best, endingHere := 0, 0
	for _, x := range a {
		if endingHere < 0 {
			endingHere = 0
		}
		endingHere += x
		if endingHere > best {
			best = endingHere
		}
	}
	fmt.Println(best)
}
