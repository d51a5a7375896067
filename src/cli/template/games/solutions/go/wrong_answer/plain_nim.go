// Wrong answer: ignores that a move takes at most k stones.

package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, k, nimSum int
	fmt.Fscan(in, &n, &k)
	for i := 0; i < n; i++ {
		var a int
		fmt.Fscan(in, &a)
		nimSum ^= a
	}
	if nimSum == 0 {
		fmt.Println("Second")
	} else {
		fmt.Println("First")
	}
}
