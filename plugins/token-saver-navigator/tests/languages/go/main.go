package main

import (
	"math"

	flat "example.org/flat/area"
)

func main() {
	shape := flat.Shape{}
	math.Square(1)
	println(flat.Square(shape.Area()))
}
