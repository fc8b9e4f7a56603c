package dag

// A Dir says which sides of a cell lines touch.
type Dir uint8

// The sides of a cell.
const (
	North Dir = 1 << iota
	East
	South
	West
	// Bridge says that the line from West to East runs beneath the one from North
	// to South: they do not meet.
	Bridge
)

// boxes are the characters for lines, by the sides that they touch.
var boxes = [16]rune{
	' ', '╵', '╶', '╰', '╷', '│', '╭', '├',
	'╴', '╯', '─', '┴', '╮', '┤', '┬', '┼',
}

// ascii are the characters for terminals that have no others.
var ascii = [16]rune{
	' ', '|', '-', '\'', '|', '|', '.', '+',
	'-', '\'', '-', '+', '.', '+', '+', '+',
}

// Box returns the character that draws the lines of a cell.
func (d Dir) Box() rune { return boxes[d.sides()] }

// ASCII returns the character that draws the lines of a cell in ASCII.
func (d Dir) ASCII() rune { return ascii[d.sides()] }

// sides returns the sides that are drawn. Of a bridge only the line on top is.
func (d Dir) sides() Dir {
	if d&Bridge != 0 {
		return d & (North | South)
	}
	return d
}
