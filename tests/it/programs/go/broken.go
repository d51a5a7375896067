package main

func main() {
	nowhere()
}
