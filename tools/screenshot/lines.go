package main

import (
	"strings"
	"unicode/utf8"
)

// The sides of a cell that a line goes to from its middle.
const (
	north = 1 << iota
	east
	south
	west
	round // where the two sides meet
)

// lineSides are the light box drawing characters.
var lineSides = map[rune]int{
	'─': east | west, '│': north | south,
	'┌': south | east, '┐': south | west, '└': north | east, '┘': north | west,
	'╭': south | east | round, '╮': south | west | round, '╰': north | east | round, '╯': north | west | round,
	'├': north | south | east, '┤': north | south | west, '┬': east | west | south, '┴': east | west | north,
	'┼': north | south | east | west, '╴': west, '╵': north, '╶': east, '╷': south,
}

// drawn says whether a character is drawn as lines.
func drawn(text string) bool {
	character, size := utf8.DecodeRuneInString(text)
	return size == len(text) && lineSides[character] != 0
}

// strokes is the path of line drawing characters that begin at a cell.
func strokes(text string, x, y int) string {
	var b strings.Builder
	for _, character := range text {
		left, top := float64(x)*cellWidth, float64(y)*cellHeight
		middle := px(left+cellWidth/2) + " " + px(top+cellHeight/2)
		ends := [4]string{
			px(left+cellWidth/2) + " " + px(top),
			px(left+cellWidth) + " " + px(top+cellHeight/2),
			px(left+cellWidth/2) + " " + px(top+cellHeight),
			px(left) + " " + px(top+cellHeight/2),
		}
		sides := lineSides[character]
		var from []string
		for i, end := range ends {
			if sides&(1<<i) != 0 {
				from = append(from, end)
			}
		}
		switch {
		case sides&round != 0:
			b.WriteString("M" + from[0] + "Q" + middle + " " + from[1])
		case sides == north|south, sides == east|west:
			b.WriteString("M" + from[0] + "L" + from[1])
		default:
			for _, end := range from {
				b.WriteString("M" + middle + "L" + end)
			}
		}
		x++
	}
	return b.String()
}
