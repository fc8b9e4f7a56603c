package inspect

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// passes are the backward passes that run, the innermost one last.
type passes []graph.BackwardID

// maxRunning bounds the passes that run at once. PyTorch nests about sixty of them in
// a thread; only a damaged tape has more.
const maxRunning = 1 << 9

func (p *passes) began(id graph.BackwardID) {
	if len(*p) < maxRunning {
		*p = append(*p, id)
	}
}

func (p *passes) ended(id graph.BackwardID) {
	*p = slices.DeleteFunc(*p, func(r graph.BackwardID) bool { return r == id })
}

// innermost is the pass that began last; 0: none runs.
func (p passes) innermost() graph.BackwardID {
	if len(p) == 0 {
		return 0
	}
	return p[len(p)-1]
}
