// Wrong answer: tries the numbers one by one, which takes more than ten guesses.

package main

import "fmt"

func main() {
	low, high := 1, 1000
	for low <= high {
		guess := low
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
