package arrange

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// maxDepth bounds how deep calls of modules nest. A call that is further in counts as part
// of the one around it.
const maxDepth = 32

// Outside is the place of what lies outside all calls.
const Outside = -1

// Calls holds the calls of modules that made some nodes and the calls around them, in the
// order in which they were entered: outer calls come first.
type Calls struct {
	List  []Call
	Depth int // of the innermost one

	places []int32 // by ModuleID: the place in List + 1
}

// A Call is one call of a module.
type Call struct {
	ID    graph.ModuleID
	Outer int // the place of the call around it, or Outside
	Depth int // 1: outside all others
}

// NewCalls finds the calls of the modules that made some nodes.
func NewCalls(nodes Nodes) *Calls {
	g, n := nodes.Graph(), nodes.Len()
	newest := graph.ModuleID(0)
	for i := range n {
		newest = max(newest, nodes.Module(i))
	}
	c := &Calls{places: make([]int32, newest+1)}
	const made = -1
	for i := range n {
		for id := nodes.Module(i); id != 0 && c.places[id] != made; id = g.ModuleOuter(id) {
			c.places[id] = made
		}
	}
	for id := range c.places {
		if c.places[id] == made {
			c.add(graph.ModuleID(id), c.At(g.ModuleOuter(graph.ModuleID(id))))
		}
	}
	return c
}

func (c *Calls) add(id graph.ModuleID, outer int) {
	call := Call{ID: id, Outer: outer, Depth: 1}
	if outer != Outside {
		call.Depth = c.List[outer].Depth + 1
		if call.Depth > maxDepth {
			c.places[id] = int32(outer) + 1
			return
		}
	}
	c.List = append(c.List, call)
	c.places[id] = int32(len(c.List))
	c.Depth = max(c.Depth, call.Depth)
}

// At returns the place of the call of a module.
func (c *Calls) At(id graph.ModuleID) int { return int(c.places[id]) - 1 }

// Path appends the places of a call and of the calls around it, the outermost first.
func (c *Calls) Path(dst []int, place int) []int {
	first := len(dst)
	for ; place != Outside; place = c.List[place].Outer {
		dst = append(dst, place)
	}
	slices.Reverse(dst[first:])
	return dst
}

// Common returns the place of the innermost call around two calls.
func (c *Calls) Common(a, b int) int {
	for a != b {
		if a < b {
			a, b = b, a
		}
		a = c.List[a].Outer // the later call cannot be around the other
	}
	return a
}

// CallName returns what a call of a module is called, and the type of the module unless that
// is the name. The root module has no path, so its type is its name.
func CallName(m graph.Module) (path, typ string) {
	if strings.TrimSpace(m.Path) == "" {
		return m.Type, ""
	}
	return m.Path, strings.TrimSpace(m.Type)
}
