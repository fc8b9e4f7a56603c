package dag_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
)

// eachDrawing checks a law on layered drawings of random graphs, or of parts.
func eachDrawing(t *testing.T, law func(t *rapid.T, v *dag.View, rows []int, d *dag.Drawing)) {
	eachView(t, func(t *rapid.T, v *dag.View) {
		rows := v.All()
		if rapid.Bool().Draw(t, "part") {
			row := rapid.IntRange(0, v.Rows()-1).Draw(t, "around")
			rows = v.Around(row, rapid.IntRange(0, 4).Draw(t, "hops"), rapid.IntRange(1, 30).Draw(t, "most"))
		}
		width := rapid.IntRange(0, 9).Draw(t, "width")
		d, err := dag.Arrange(v, rows, rapid.Bool().Draw(t, "frame"), func(row int) int { return width + row%3 })
		if err != nil {
			t.Fatal(err)
		}
		law(t, v, rows, d)
	})
}

// A move is a step along a line.
type move struct {
	x, y int
	to   dag.Dir
}

// drawnLinks follows the lines that leave the box of a row downwards or sideways,
// never upwards, to the boxes that they enter.
func drawnLinks(t *rapid.T, d *dag.Drawing, row int) (rows []int) {
	r, _ := d.Rect(row)
	var moves []move
	for x := r.X; x < r.X+r.W; x++ {
		if y := r.Y + r.H - 1; d.At(x, y)&dag.South != 0 {
			moves = append(moves, move{x, y + 1, dag.South})
		}
	}
	seen := map[move]bool{}
	for len(moves) > 0 {
		m := moves[len(moves)-1]
		moves = moves[:len(moves)-1]
		if seen[m] {
			continue
		}
		seen[m] = true
		if to, ok := d.RowAt(m.x, m.y); ok {
			if r, _ := d.Rect(to); m.y != r.Y || m.to != dag.South {
				t.Fatalf("a line from row %d enters row %d at %d, %d", row, to, m.x, m.y)
			}
			if !slices.Contains(rows, to) {
				rows = append(rows, to)
			}
			continue
		}
		ways := d.At(m.x, m.y)
		if ways&dag.Bridge != 0 {
			ways &= m.to
		}
		ways &^= map[dag.Dir]dag.Dir{dag.South: dag.North, dag.East: dag.West, dag.West: dag.East}[m.to] // back
		if ways == 0 {
			t.Fatalf("a line from row %d ends at %d, %d", row, m.x, m.y)
		}
		if ways&dag.South != 0 {
			moves = append(moves, move{m.x, m.y + 1, dag.South})
		}
		if ways&dag.East != 0 {
			moves = append(moves, move{m.x + 1, m.y, dag.East})
		}
		if ways&dag.West != 0 {
			moves = append(moves, move{m.x - 1, m.y, dag.West})
		}
	}
	slices.Sort(rows)
	return rows
}

func TestTheLinesOfALayeredDrawingLeadToWhatTheNodesLeadTo(t *testing.T) {
	eachDrawing(t, func(t *rapid.T, v *dag.View, rows []int, d *dag.Drawing) {
		for _, row := range rows {
			var want []int
			for _, l := range v.Links(row) {
				if slices.Contains(rows, l.Row) {
					want = append(want, l.Row)
				}
			}
			slices.Sort(want)
			if got := drawnLinks(t, d, row); !slices.Equal(got, want) {
				t.Fatalf("row %d leads to %v, want %v", row, got, want)
			}
		}
	})
}

func TestTheBoxesOfALayeredDrawingAreApartAndTheCellsFitTogether(t *testing.T) {
	eachDrawing(t, func(t *rapid.T, v *dag.View, rows []int, d *dag.Drawing) {
		window := dag.Rect{
			X: rapid.IntRange(-5, d.Width).Draw(t, "x"), Y: rapid.IntRange(-5, d.Height).Draw(t, "y"),
			W: rapid.IntRange(0, 50).Draw(t, "w"), H: rapid.IntRange(0, 30).Draw(t, "h"),
		}
		var inside []int
		owner := map[[2]int]int{}
		for _, row := range rows {
			r, ok := d.Rect(row)
			if !ok || r.X < 0 || r.Y < 0 || r.X+r.W > d.Width || r.Y+r.H > d.Height {
				t.Fatalf("row %d is at %v (%v) of %d, %d", row, r, ok, d.Width, d.Height)
			}
			for y := r.Y; y < r.Y+r.H; y++ {
				for x := r.X; x < r.X+r.W; x++ {
					if other, taken := owner[[2]int{x, y}]; taken {
						t.Fatalf("rows %d and %d are both at %d, %d", row, other, x, y)
					}
					owner[[2]int{x, y}] = row
				}
			}
			if r.X < window.X+window.W && r.X+r.W > window.X && r.Y < window.Y+window.H && r.Y+r.H > window.Y {
				inside = append(inside, row)
			}
		}
		got := slices.Sorted(d.In(window))
		if !slices.Equal(got, inside) {
			t.Fatalf("%v holds %v, want %v", window, got, inside)
		}
		for y := range d.Height {
			for x := range d.Width {
				row, ok := d.RowAt(x, y)
				if want, taken := owner[[2]int{x, y}]; ok != taken || row != want {
					t.Fatalf("row %d (%v) is at %d, %d, want %d (%v)", row, ok, x, y, want, taken)
				}
				c := d.At(x, y)
				if (c&dag.South != 0) != (d.At(x, y+1)&dag.North != 0) || (c&dag.East != 0) != (d.At(x+1, y)&dag.West != 0) {
					t.Fatalf("the lines at %d, %d end", x, y)
				}
			}
		}
	})
}

func TestTheSelectionMovesToTheBoxesBesideIt(t *testing.T) {
	s := newSketch().lines("x = leaf\na = Mul x\nb = Exp a\nc = Sin a\nloss = Add b c\n")
	v := dag.NewView(s.dag("loss"))
	d, err := dag.Arrange(v, v.All(), true, func(int) int { return 5 })
	if err != nil {
		t.Fatal(err)
	}
	row := func(name string) int {
		r, _ := v.RowOf(s.ids[name])
		return r
	}
	for _, c := range []struct {
		from string
		side dag.Dir
		want string
	}{
		{"loss", dag.North, ""}, {"loss", dag.South, "c"}, {"c", dag.East, "b"}, {"b", dag.West, "c"},
		{"b", dag.East, ""}, {"b", dag.South, "a"}, {"a", dag.South, "x"}, {"x", dag.South, ""}, {"x", dag.North, "a"},
	} {
		other, ok := d.Beside(row(c.from), c.side)
		if ok != (c.want != "") || ok && other != row(c.want) {
			t.Errorf("from %s to %v: %d (%v), want %q", c.from, c.side, other, ok, c.want)
		}
	}
	if _, ok := d.Beside(99, dag.South); ok {
		t.Error("there is something beside what is not there")
	}
}

// A graph that is too large is refused; what is around a node of it is not.
func TestATooLargeGraphIsShownAroundANode(t *testing.T) {
	for _, make := range []func(int) (*graph.Graph, graph.NodeID){chain, fanIn} {
		g, root := make(2500)
		v := dag.NewView(dag.Collect(g, []graph.NodeID{root}))
		v.UnfoldAll()
		text := func(int) int { return 20 }
		var large *dag.TooLargeError
		if _, err := dag.Arrange(v, v.All(), true, text); !errors.As(err, &large) || large.Rows != v.Rows() {
			t.Error(err)
		}
		for row := range v.Rows() {
			if row > 3 && row < v.Rows()-3 {
				continue
			}
			rows := v.Around(row, 3, 100)
			if len(rows) > 100 || !slices.Contains(rows, row) || !slices.IsSorted(rows) {
				t.Errorf("around row %d are %v", row, rows)
			}
			if _, err := dag.Arrange(v, rows, true, text); err != nil {
				t.Error(err)
			}
		}
	}
}
