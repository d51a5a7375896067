// Mistake: forbids the new heaps to be empty, so that a heap of one is dead.
package main

import "fmt"

func main() {
	var g [101]int
	for a := 1; a <= 100; a++ {
		seen := map[int]bool{}
		for b := 1; b < a; b++ {
			for c := 1; c <= b; c++ {
				seen[g[b]^g[c]] = true
			}
		}
		for seen[g[a]] {
			g[a]++
		}
	}
	var n, v, x int
	fmt.Scan(&n)
	for i := 0; i < n; i++ {
		fmt.Scan(&v)
		x ^= g[v]
	}
	if x != 0 {
		fmt.Println("Yes")
	} else {
		fmt.Println("No")
	}
}
