package area

func cube(value float64) float64 {
	return value * Square(value)
}
