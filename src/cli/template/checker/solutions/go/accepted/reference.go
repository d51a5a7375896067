// The reference solution: looks up the other number of each pair.

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
	places := map[int]int{}
	for j, x := range a {
		if i, found := places[t-x]; found {
			fmt.Println(i+1, j+1)
			return
		}
		places[x] = j
	}
	fmt.Println("0 0")
}
