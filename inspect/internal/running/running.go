// Package running knows which backward passes run.
package running

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// Passes are the backward passes that run, the innermost one last.
type Passes []graph.BackwardID

// maxRunning bounds the passes that run at the same time. PyTorch nests about sixty of them in
// a thread; only a damaged tape has more.
const maxRunning = 1 << 9

// Began adds a pass that begins.
func (p *Passes) Began(id graph.BackwardID) {
	if len(*p) < maxRunning {
		*p = append(*p, id)
	}
}

// Ended removes a pass that is over.
func (p *Passes) Ended(id graph.BackwardID) {
	*p = slices.DeleteFunc(*p, func(r graph.BackwardID) bool { return r == id })
}

// Innermost returns the pass that began last; 0: none runs.
func (p Passes) Innermost() graph.BackwardID {
	if len(p) == 0 {
		return 0
	}
	return p[len(p)-1]
}
