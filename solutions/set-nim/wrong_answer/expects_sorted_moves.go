// Mistake: stops at the first move that is too large, as if the moves came in ascending order.
package main

import "fmt"

func main() {
	var k, n, h, x int
	fmt.Scan(&k)
	s := make([]int, k)
	for i := range s {
		fmt.Scan(&s[i])
	}
	g := make([]int, 10001)
	for v := 1; v <= 10000; v++ {
		seen := [102]bool{}
		for _, m := range s {
			if m > v {
				break
			}
			seen[g[v-m]] = true
		}
		for seen[g[v]] {
			g[v]++
		}
	}
	fmt.Scan(&n)
	for ; n > 0; n-- {
		fmt.Scan(&h)
		x ^= g[h]
	}
	if x != 0 {
		fmt.Println("Yes")
	} else {
		fmt.Println("No")
	}
}
