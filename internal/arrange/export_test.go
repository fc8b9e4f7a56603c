package arrange

// Find and Align are tested with other numbers of times than MinTimes.
var (
	Find  = find
	Align = align
)

// Sum completes the numbers after the last link.
func (c Crossings) Sum() { c.sum() }
