package pytorch

import (
	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/internal/agent"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// records are the kinds of records besides operations and deaths of tensors. Each reads its
// fields first and does nothing if they are bad.
var records = map[string]func(t *Translator, f *fields){
	"meta":      (*Translator).defineLayout,
	"signature": (*Translator).defineSignature,
	"nodes":     (*Translator).found,

	"tensor":   (*Translator).met,
	"changed":  (*Translator).noticed,
	"value":    (*Translator).valueRead,
	"reshaped": (*Translator).reshaped,
	"rebase":   (*Translator).noticedRebase,
	"requires": func(t *Translator, f *fields) {
		x, to := f.tensor(0), f.bool(1)
		t.event(f, 2, func() graph.Event { return &graph.RequiresGrad{Tensor: x.id, To: to} })
	},
	"retain": func(t *Translator, f *fields) {
		x := f.tensor(0)
		t.event(f, 1, func() graph.Event { return &graph.RetainGrad{Tensor: x.id} })
	},
	"cut": func(t *Translator, f *fields) {
		why, from, to := enum(f, 0, graph.CutDetach, graph.CutDeepcopy), f.tensorList(2), f.tensorOrNone(3)
		t.event(f, 1, func() graph.Event {
			e := &graph.LineageCut{Why: why, Inputs: identifiers(from), Output: to.tensorID()}
			if len(from) == 1 && from[0].layout != nil {
				e.Value = valueOf(f.any(4), from[0].layout.dtype)
			}
			return e
		})
	},
	"grad": func(t *Translator, f *fields) {
		x, g := f.tensor(0), f.tensorOrNone(1)
		t.event(f, 2, func() graph.Event { return &graph.GradAssigned{Tensor: x.id, Grad: g.tensorID()} })
	},
	"gradread": func(t *Translator, f *fields) {
		x := f.tensor(0)
		t.event(f, 1, func() graph.Event { return &graph.GradRead{Tensor: x.id} })
	},
	"mode": func(t *Translator, f *fields) {
		mode, to := enum(f, 0, graph.GradMode, graph.AutocastMode), f.bool(1)
		t.event(f, 2, func() graph.Event { return &graph.ModeChanged{Mode: mode, To: to} })
	},

	"backward":    (*Translator).backwardBegan,
	"runs":        (*Translator).nodeRuns,
	"ran":         (*Translator).nodeRan,
	"accumulated": (*Translator).accumulated,
	"hook":        (*Translator).hookRan,
	"ended":       (*Translator).backwardEnded,
	"failed":      (*Translator).backwardFailed,

	"step": func(t *Translator, f *fields) {
		class, done, params, number, rates := f.text(0), f.bool(1), f.tensorList(2), f.count(3), f.sequence(4)
		t.event(f, 5, func() graph.Event {
			return &graph.OptimizerStepped{
				Optimizer: t.String(class), Done: done, Params: identifiers(params), Number: uint32(number), Rates: agent.Floats(rates),
			}
		})
	},
	"zeroed": func(t *Translator, f *fields) {
		class, toNone, params := f.text(0), f.bool(1), f.tensorList(2)
		t.event(f, 3, func() graph.Event {
			return &graph.GradsZeroed{By: t.String(class), SetToNone: toNone, Params: identifiers(params)}
		})
	},
	"raised": func(t *Translator, f *fields) {
		kind, code, op, message, tensors := f.text(0), f.text(1), f.text(2), f.text(3), f.tensorList(4)
		if code == "" {
			code = string(errorCode(message))
		}
		t.event(f, 5, func() graph.Event {
			return &graph.Raised{Type: t.String(kind), Code: t.String(code), Op: t.String(op), Message: message, Tensors: identifiers(tensors)}
		})
	},
	"warned": func(t *Translator, f *fields) {
		category, message := f.text(0), f.text(1)
		t.event(f, 2, func() graph.Event { return &graph.Warned{Category: t.String(category), Message: message} })
	},
	"note": func(t *Translator, f *fields) {
		kind, values := f.text(0), f.tuple(2)
		t.event(f, 1, func() graph.Event { return agent.Event(t, kind, values) })
	},

	"answered": func(_ *Translator, f *fields) { f.bad = true }, // nothing was asked
	"breakpoint": func(t *Translator, f *fields) {
		if t.Gate != nil && !f.bad {
			t.Gate.Ahead(false) // the program waits there
			t.Gate.Do(control.Command{Interrupt: true})
		}
		t.event(f, 0, func() graph.Event { return &graph.LineReached{} })
	},
	"reached": func(t *Translator, f *fields) {
		t.event(f, 0, func() graph.Event { return &graph.LineReached{} })
	},

	"bind": func(t *Translator, f *fields) {
		x, name, scope := f.tensor(0), f.text(1), f.text(2)
		if !f.bad {
			t.bind(x, t.String(name), t.String(scope))
		}
	},
	"thread": func(t *Translator, f *fields) {
		if id := f.count(0); !f.bad {
			t.header.Thread = graph.ThreadID(id)
		}
	},
	"enter": func(t *Translator, f *fields) {
		path, class, mode := f.text(0), f.text(1), agent.Mode(f.v, 2)
		t.event(f, -1, func() graph.Event {
			t.modules[t.header.Thread]++
			return &graph.ModuleEntered{Path: t.String(path), Type: t.String(class), Mode: mode}
		})
	},
	"leave": func(t *Translator, f *fields) {
		if t.modules[t.header.Thread] > 0 {
			t.modules[t.header.Thread]--
			t.append(&graph.ModuleLeft{})
		}
	},
	"variable": (*Translator).variable,
	"bye":      func(t *Translator, f *fields) { t.over = true },
}

// event appends the event that make returns, if the fields are good. The program is at the
// call stack that is part i; -1: where it was before.
func (t *Translator) event(f *fields, i int, make func() graph.Event) {
	stack := 0
	if i >= 0 {
		stack = f.int(i)
	}
	if f.bad {
		return
	}
	if i >= 0 {
		t.at(stack)
	}
	if e := make(); e != nil {
		t.append(e)
	} else {
		f.bad = true
	}
}

// String is the number of a string. The tape must be locked.
func (t *Translator) String(s string) graph.StringID { return t.batch.String(s) }

// Tensors are the numbers of the tensors among values, where they are ints.
func (t *Translator) Tensors(values []any) (found []graph.TensorID) {
	for _, v := range values {
		switch x := v.(type) {
		case int:
			if known := t.tensors.known[x]; known != nil {
				found = append(found, known.id)
			}
		case []any:
			found = append(found, t.Tensors(x)...)
		case marshal.Tuple:
			found = append(found, t.Tensors(x)...)
		}
	}
	return found
}

func identifiers(list []*tensor) []graph.TensorID {
	if len(list) == 0 {
		return nil
	}
	ids := make([]graph.TensorID, len(list))
	for i, x := range list {
		ids[i] = x.id
	}
	return ids
}

// noticed takes a change that no operation reported: tensor, version, stack, value.
func (t *Translator) noticed(f *fields) {
	x, version, stack := f.tensor(0), f.count(1), f.int(2)
	if !f.bad {
		t.at(stack)
		t.changed(x, uint32(version), f.any(3))
	}
}

// noticedRebase takes a change of history: tensor, gradient edge, why, stack.
func (t *Translator) noticedRebase(f *fields) {
	x, to := f.tensor(0), f.edge(1)
	why, stack := enum(f, 2, graph.RebasedInPlace, graph.RebasedExisting), f.int(3)
	if !f.bad && to != x.edge {
		t.at(stack)
		t.rebased(x, to, why)
	}
}

// reshaped takes a tensor that shows other memory: tensor, layout, stack, storage, offset,
// value, and a tensor that has been in that storage already, if there is one.
func (t *Translator) reshaped(f *fields) {
	x, l, stack := f.tensor(0), t.layouts[f.int(1)], f.int(2)
	key, offset := f.int(3), f.bounded(4, 0, maxOffset)
	var owner *tensor
	if f.given(6) {
		owner = f.tensor(6)
	}
	if f.bad = f.bad || l == nil; f.bad {
		return
	}
	t.at(stack)
	var s *storage
	if owner != nil {
		s = owner.storage
		t.tensors.call(s, key)
	} else {
		s = t.tensors.keyed(key, l, 0)
	}
	t.reshape(x, s, l, offset, f.any(5))
}

// variable takes what a variable holds at the end: name, type, whether it is a dict, keys,
// tensors.
func (t *Translator) variable(f *fields) {
	name, v := f.text(0), engine.Variable{Type: f.text(1), Mapping: f.bool(2)}
	keys, tensors := f.sequence(3), f.tensorList(4)
	if f.bad = f.bad || v.Mapping && len(keys) != len(tensors); f.bad {
		return
	}
	for i, id := range identifiers(tensors) {
		e := engine.Element{ID: id}
		if v.Mapping {
			e.Key, _ = marshal.At[string](keys, i)
		}
		v.Tensors = append(v.Tensors, e)
	}
	if t.Variable != nil {
		t.Variable(name, v)
	}
}
