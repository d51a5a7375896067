// Mistake: takes the length of the longest path from a vertex for its Grundy value.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var to [2001][]int
var memo [2001]int

func longest(u int) int {
	if memo[u] == 0 {
		best := 1
		for _, v := range to[u] {
			if d := longest(v) + 1; d > best {
				best = d
			}
		}
		memo[u] = best
	}
	return memo[u]
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, m, k, x, y, sum int
	fmt.Fscan(in, &n, &m, &k)
	for ; m > 0; m-- {
		fmt.Fscan(in, &x, &y)
		to[x] = append(to[x], y)
	}
	for ; k > 0; k-- {
		fmt.Fscan(in, &x)
		sum ^= longest(x) - 1
	}
	if sum != 0 {
		fmt.Println("win")
	} else {
		fmt.Println("lose")
	}
}
