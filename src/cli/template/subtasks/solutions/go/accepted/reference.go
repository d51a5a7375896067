// The reference solution: the best sum that ends at each position.

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
	best, endingHere := a[0], 0
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
