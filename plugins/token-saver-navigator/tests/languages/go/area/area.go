// Package area measures.
package area

import "math"

// Shape is something flat.
type Shape struct {
	sides float64
}

// Sized has a size.
type Sized interface {
	Area() float64
}

const Limit = 3

// Area returns its size.
func (s *Shape) Area() float64 {
	return Square(s.sides)
}

// Square is "Square" in a comment.
func Square(value float64) float64 {
	return math.Pow(value, 2)
}
