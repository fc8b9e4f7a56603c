// Package stretch divides the events between two positions.
package stretch

import "github.com/gradtui/gradtui/graph"

// Clamp returns the positions between which there are events, on a tape that ends at end.
func Clamp(from, to, end graph.Pos) (graph.Pos, graph.Pos) {
	from = min(max(from, 0), end)
	return from, min(max(to, from), end)
}

// Part returns the position at which the i-th of n equal parts begins.
func Part(from, to graph.Pos, i, n int) graph.Pos {
	return from + graph.Pos(int64(to-from)*int64(i)/int64(n))
}
