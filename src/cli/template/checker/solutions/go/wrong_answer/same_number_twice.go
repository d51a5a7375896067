// Wrong answer: takes the same number twice.

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
	for i, x := range a {
		places[x] = i
	}
	for j, x := range a {
		if i, found := places[t-x]; found {
			fmt.Println(j+1, i+1)
			return
		}
	}
	fmt.Println("0 0")
}
