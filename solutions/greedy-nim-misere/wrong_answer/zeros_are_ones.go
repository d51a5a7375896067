// Mistake: takes empty heaps for heaps of the smallest size when it counts the ones.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
)

func lost(size, count int) bool {
	if size <= 1 {
		return count%2 == 1
	}
	return count%2 == 0
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	a := make([]int, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	sort.Sort(sort.Reverse(sort.IntSlice(a)))
	count := 0
	for count < n && a[count] == a[0] {
		count++
	}
	moves := 0
	if count > 1 {
		if lost(a[0], count-1) {
			moves = a[0] * count
		}
	} else {
		second, equal := 0, 0
		for i := 1; i < n && (i == 1 || a[i] == a[1]); i++ {
			second, equal = a[i], equal+1
		}
		if lost(second, equal) {
			moves += second
		}
		if lost(second, equal+1) {
			moves++
		}
	}
	word := "Yes"
	if lost(a[0], count) {
		word = "No"
	}
	fmt.Println(word, moves)
}
