package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var snapshotAliasesWeights = inspect.Rule{
	Code:     "snapshot-aliases-weights",
	Severity: inspect.SeverityWarning,
	Title:    "Weights that were kept to be restored are the live weights themselves.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &snapshots{
			noted: noted{check: check}, reported: map[graph.StackID]bool{},
			mixed: map[graph.TensorID]comparison{}, restored: restoredOf(check.History), selves: map[graph.StackID]*selfCopy{},
		}
	},
}

// snapshots looks at weights that are copied onto themselves although they were trained since
// they were kept.
type snapshots struct {
	noted
	reported map[graph.StackID]bool        // the lines that restore them
	mixed    map[graph.TensorID]comparison // what was computed of a comparison
	restored map[graph.Pos]bool
	selves   map[graph.StackID]*selfCopy // lines at which a trained parameter is copied onto itself
	scaled   visit                       // the last multiplication of a parameter in place
	scales   graph.TensorID              // that parameter
}

// A selfCopy is a line that copies parameters onto themselves.
type selfCopy struct {
	visit
	weights graph.TensorID // the first of them
	others  bool           // it copies others, too
}

// A comparison is an operation on weights and what was kept of them, which is the same memory.
type comparison struct {
	visit
	weights graph.TensorID
	kept    visit // where it was kept
}

// restoredOf returns the comparisons whose results were copied into the weights, for all rules together.
func restoredOf(h *inspect.History) map[graph.Pos]bool {
	return h.Shared("restored", func() any { return map[graph.Pos]bool{} }).(map[graph.Pos]bool)
}

// Event looks at a copy.
func (w *snapshots) Event(p graph.Pos, head graph.Header, e graph.Event) {
	if e, ok := e.(*graph.TensorReleased); ok {
		delete(w.mixed, e.Tensor)
	}
	ran, ok := e.(*graph.OpRan)
	if !ok {
		return
	}
	if w.check.Tape().String(ran.Op) != "copy_" {
		w.averages(visit{p, head.Stack}, ran)
		w.follow(visit{p, head.Stack}, ran)
		return
	}
	if len(ran.Inputs) != 2 {
		return
	}
	if c, ok := w.mixed[ran.Inputs[1]]; ok && w.check.Tensor(ran.Inputs[0]).Storage == w.check.Tensor(c.weights).Storage {
		w.restored[c.at] = true
		if !w.reported[head.Stack] {
			w.reported[head.Stack] = true
			w.reportMixed(visit{p, head.Stack}, c)
		}
		return
	}
	if w.reported[head.Stack] {
		return
	}
	w.itself(visit{p, head.Stack}, ran)
	to, from := w.check.Tensor(ran.Inputs[0]), w.check.Tensor(ran.Inputs[1])
	if ran.Inputs[0] == ran.Inputs[1] || !to.Known() || !from.Known() || to.Storage != from.Storage || from.Created < to.Created {
		return
	}
	if !trainedSince(w.check.History, ran.Inputs[0], from.Created, p) {
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

// averages looks at a running average of weights that is their own memory: kept.mul_(0.9).add_(weights, alpha=0.1).
func (w *snapshots) averages(v visit, ran *graph.OpRan) {
	name := w.check.Tape().String(ran.Op)
	if w.ofItself(v, name, ran) {
		return
	}
	if w.reported[v.stack] || name != "add_" && name != "lerp_" || len(ran.Inputs) < 2 || len(ran.Mutated) != 1 {
		return
	}
	kept, from := w.check.Tensor(ran.Mutated[0]), ran.Inputs[1]
	if op := w.check.OpAt(v.at); op == nil || op.Step >= 0 || op.Pass != 0 || from == ran.Mutated[0] || from == 0 || w.check.Tensor(from).Storage != kept.Storage {
		return
	}
	weights, older := keptWeights(w.check.History, ran.Mutated[0], from, v.at)
	if older != kept {
		return
	}
	w.reported[v.stack] = true
	called := w.check.Called(weights)
	w.found = append(w.found, inspect.Finding{
		Message: fmt.Sprintf("the running average of %s is %[1]s itself: what was kept of it has the same memory", called),
		Primary: w.check.In(kept.Stack, kept.Created, "keeps the live weights, not a copy"),
		Related: []inspect.Span{w.check.In(v.stack, v.at, "adds the weights to themselves")},
		Tensors: names(w.check.History, weights),
		Help:    "begin the average with a copy: `.detach().clone()` of each weight",
		Evidence: facts(
			w.check.In(kept.Stack, kept.Created, "what is kept here has the memory of the weights"),
			w.check.In(v.stack, v.at, name+" reads and writes two tensors with one memory"),
			fact("a step changed the weights between the two"),
		),
		Instead: []inspect.Alternative{not("inplace-alias", "no graph has saved the weights")},
		At:      v.at,
		Symptom: -1,
	})
}

// ofItself reports an average that is the parameter itself, the same tensor: p.mul_(0.9).add_(p, alpha=0.1).
func (w *snapshots) ofItself(v visit, name string, ran *graph.OpRan) bool {
	if len(ran.Mutated) != 1 || len(ran.Inputs) == 0 {
		return false
	}
	weights := ran.Mutated[0]
	if w.check.Tensor(weights).Flags&graph.FlagParameter == 0 {
		return false
	}
	if name == "mul_" {
		w.scaled, w.scales = v, weights
	}
	if len(ran.Inputs) < 2 || ran.Inputs[1] != weights {
		return false
	}
	averaged := name == "lerp_" || name == "add_" && w.scales == weights &&
		sameLine(w.check.In(w.scaled.stack, w.scaled.at, "").Frame, w.check.In(v.stack, v.at, "").Frame)
	if w.reported[v.stack] || !averaged || !trainedSince(w.check.History, weights, w.check.Tensor(weights).Created, v.at) {
		return false
	}
	w.reported[v.stack] = true
	called := w.check.Called(weights)
	w.found = append(w.found, inspect.Finding{
		Message:  fmt.Sprintf("the running average of %s is %[1]s itself: what was kept of it is the parameter", called),
		Primary:  w.check.In(v.stack, v.at, "adds the weights to themselves"),
		Tensors:  names(w.check.History, weights),
		Help:     "begin the average with a copy: `.detach().clone()` of each weight",
		Evidence: facts(w.check.In(v.stack, v.at, name+" reads and writes one parameter, which steps have changed")),
		At:       v.at,
		Symptom:  -1,
	})
	return true
}

// itself notes a copy of a parameter onto itself, of the same tensor: a list of parameters was kept.
func (w *snapshots) itself(v visit, ran *graph.OpRan) {
	to, from := ran.Inputs[0], ran.Inputs[1]
	s := w.selves[v.stack]
	if t := w.check.Tensor(to); to == from && s == nil && t.Flags&graph.FlagParameter != 0 && trainedSince(w.check.History, to, t.Created, v.at) {
		w.selves[v.stack] = &selfCopy{visit: v, weights: to}
	} else if to != from {
		if s == nil {
			s = &selfCopy{visit: v}
			w.selves[v.stack] = s
		}
		s.others = true
	}
}

// End reports the lines that copy nothing but parameters onto themselves, with all else.
func (w *snapshots) End() {
	for _, stack := range slices.Sorted(maps.Keys(w.selves)) {
		s := w.selves[stack]
		if s.others || s.weights == 0 {
			continue // modules that share a part
		}
		w.found = append(w.found, inspect.Finding{
			Message:  fmt.Sprintf("%s is restored from itself: what was kept is the parameter, which was trained since", w.check.Called(s.weights)),
			Primary:  w.check.In(s.stack, s.at, "copies the weights onto themselves"),
			Tensors:  names(w.check.History, s.weights),
			Help:     "keep a copy: `copy.deepcopy(model.state_dict())`, or `.detach().clone()` of each weight",
			Evidence: facts(w.check.In(s.stack, s.at, "both operands of each copy are one tensor, which steps have changed")),
			At:       s.at,
			Symptom:  -1,
		})
	}
	w.noted.End()
}

// follow notes what is computed of weights and what was kept of them.
func (w *snapshots) follow(v visit, ran *graph.OpRan) {
	var c comparison
	for _, t := range ran.Inputs {
		if known, ok := w.mixed[t]; ok {
			c = known
		}
	}
	if c.weights == 0 && len(ran.Inputs) >= 2 && slices.Contains(comparing, w.check.Tape().String(ran.Op)) {
		if weights, kept := keptWeights(w.check.History, ran.Inputs[0], ran.Inputs[1], v.at); kept != nil {
			c = comparison{v, weights, visit{kept.Created, kept.Stack}}
		}
	}
	if c.weights != 0 {
		for _, t := range ran.Outputs {
			w.mixed[t] = c
		}
	}
}

func (w *snapshots) reportMixed(copied visit, c comparison) {
	name := w.check.Called(c.weights)
	w.found = append(w.found, inspect.Finding{
		Message: fmt.Sprintf("%s is set by its difference to what was kept of it, but that is the same memory, which was trained since", name),
		Primary: w.check.In(c.kept.stack, c.kept.at, "keeps the live weights, not a copy"),
		Related: []inspect.Span{
			w.check.In(c.stack, c.at, "both operands are the weights as they are now"),
			w.check.In(copied.stack, copied.at, "sets the weights"),
		},
		Tensors: names(w.check.History, c.weights),
		Help:    "keep a copy: `copy.deepcopy(model.state_dict())`, or `.detach().clone()` of each weight",
		Evidence: facts(
			w.check.In(c.kept.stack, c.kept.at, "what is kept here has the memory of the weights"),
			w.check.In(c.stack, c.at, "the operands are two tensors with one memory"),
			fact("a step changed the weights between the two"),
		),
		Instead: []inspect.Alternative{not("inplace-alias", "a step of an optimizer changed the values, as it should")},
		At:      copied.at,
		Symptom: -1,
	})
}

// keptWeights returns the older of two tensors with the memory of one parameter, and the parameter, if
// a step has changed it since the older one was made of it; nil: it is not like this.
func keptWeights(h *inspect.History, x, y graph.TensorID, at graph.Pos) (weights graph.TensorID, kept *inspect.Tensor) {
	a, b := h.Tensor(x), h.Tensor(y)
	if x == y || !a.Known() || !b.Known() || a.Storage != b.Storage || !slices.Equal(a.Shape, b.Shape) {
		return 0, nil
	}
	i := slices.IndexFunc(h.Sharing(a.Storage), func(t graph.TensorID) bool {
		return h.Tensor(t).Flags&graph.FlagParameter != 0 && slices.Equal(h.Tensor(t).Shape, a.Shape)
	})
	if i < 0 {
		return 0, nil
	}
	weights = h.Sharing(a.Storage)[i]
	switch {
	case x == weights:
		kept = b
	case y == weights, a.Created < b.Created:
		kept = a
	default:
		kept = b
	}
	if !trainedSince(h, weights, kept.Created, at) {
		return 0, nil
	}
	return weights, kept
}

// trainedSince reports whether a step changed a parameter between two events.
func trainedSince(h *inspect.History, weights graph.TensorID, after, before graph.Pos) bool {
	for _, u := range h.Updates().From(after) {
		if u.Tensor == weights && u.Step >= 0 && u.At < before {
			return true
		}
	}
	return false
}
