// Mistake: residues modulo r where it should be r + 1.
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
	big := 0
	for i := range a {
		fmt.Fscan(in, &a[i])
		x ^= a[i] % r
		if a[i]%r > 1 {
			big++
		}
	}
	for i, v := range a {
		g := v % r
		target := g ^ x
		if big == 0 || big == 1 && g > 1 {
			target ^= 1
		}
		taken := ((g-target)%r + r) % r
		if target < r && taken > 0 && taken <= v {
			fmt.Println(i+1, taken)
			return
		}
	}
	fmt.Println(0, 0)
}
