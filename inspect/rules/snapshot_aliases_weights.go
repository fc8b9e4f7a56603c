package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var snapshotAliasesWeights = inspect.Rule{
	Code:     "snapshot-aliases-weights",
	Severity: inspect.SeverityWarning,
	Title:    "Weights that were kept to be restored are the live weights themselves.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &snapshots{noted: noted{check: check}, reported: map[graph.StackID]bool{}}
	},
}

// snapshots looks at weights that are copied onto themselves although they were trained since
// they were kept.
type snapshots struct {
	noted
	reported map[graph.StackID]bool // the lines that restore them
}

// Event looks at a copy.
func (w *snapshots) Event(p graph.Pos, head graph.Header, e graph.Event) {
	ran, ok := e.(*graph.OpRan)
	if !ok || len(ran.Inputs) != 2 || w.reported[head.Stack] || w.check.Tape().String(ran.Op) != "copy_" {
		return
	}
	to, from := w.check.Tensor(ran.Inputs[0]), w.check.Tensor(ran.Inputs[1])
	if ran.Inputs[0] == ran.Inputs[1] || !to.Known() || !from.Known() || to.Storage != from.Storage || from.Created < to.Created {
		return
	}
	trained := false
	for _, u := range w.check.Updates().From(from.Created) {
		trained = trained || u.Tensor == ran.Inputs[0] && u.Step >= 0 && u.At < p
	}
	if !trained {
		return
	}
	w.reported[head.Stack] = true
	name := w.check.Called(ran.Inputs[0])
	w.found = append(w.found, inspect.Finding{
		Message: fmt.Sprintf("%s is restored from what was kept of it, but that is the same memory, which was trained since", name),
		Primary: w.check.In(from.Stack, from.Created, "keeps the live weights, not a copy"),
		Related: []inspect.Span{w.check.In(head.Stack, p, "copies the weights onto themselves")},
		Tensors: names(w.check.History, ran.Inputs[0]),
		Help:    "keep a copy: `copy.deepcopy(model.state_dict())`, or `.detach().clone()` of each weight",
		Evidence: facts(
			w.check.In(from.Stack, from.Created, "what is kept here has the memory of the weights"),
			w.check.In(head.Stack, p, "copies between two tensors with one memory"),
			fact("a step changed the weights between the two"),
		),
		At:      p,
		Symptom: -1,
	})
}
