// The reference solution: halves the range with each guess.

package main

import "fmt"

func main() {
	low, high := 1, 1000
	for low <= high {
		guess := (low + high) / 2
		fmt.Println(guess) // not buffered; with a bufio.Writer it would have to be flushed
		var reply string
		fmt.Scan(&reply)
		switch reply {
		case "less":
			high = guess - 1
		case "more":
			low = guess + 1
		default:
			return
		}
	}
}
