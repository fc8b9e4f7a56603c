package builtin

import (
	"encoding/json"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// This file lets the debugger ask the program where it stands. The agent in the program
// (_agent/asking.py) answers in a callback, which may call the engine.

// aside is the state of an answer.
type aside struct {
	silent  bool               // what the program does now is not part of its run
	back    func()             // ends that
	dropped []*autograd.Tensor // tensors of the run that were dropped meanwhile
	refused string             // the first operation that was
}

// answerQuestion answers a question of the debugger. The gate calls it while the program waits for
// the engine.
func (s *session) answerQuestion(a control.Ask) (answer control.Answer) {
	if a.Kind == control.AskElements {
		return s.readElements(a)
	}
	if s.alone {
		return control.Answer{Error: control.RunAhead}
	}
	question, err := json.Marshal(a)
	if err != nil {
		return control.Answer{Error: err.Error()}
	}
	back := s.recorder.Aside(nil)
	s.refused = ""
	s.channel.store(protocol.WordCancel, 0)
	versions := s.versions()
	out, err := s.callback(protocol.CallAsk, []any{string(question)})
	s.endAside()
	back()
	text, ok := out.(string)
	if err != nil || !ok {
		return control.Answer{Error: "the program did not answer"}
	}
	answer = control.ReadAnswer(text, func(handle int) graph.TensorID {
		id, _ := s.recorder.IsOnTape(s.tensor(handle))
		return id
	})
	answer.Refused = s.refused
	if a.Kind != control.AskRun {
		answer.Changed = s.changed(versions)
	}
	return answer
}

// readElements puts on the tape what a tensor holds. The engine has it: the program is not asked.
func (s *session) readElements(a control.Ask) (answer control.Answer) {
	t := s.onTape(a.Tensor)
	if t == nil {
		return control.Answer{Error: control.Dropped}
	}
	back := s.recorder.Aside(nil)
	defer back()
	if err := s.recorder.Read(t, a.Version, a.Part); err != nil {
		answer.Error = err.Error()
	}
	return answer
}

// onTape is the tensor of the program with a number on the tape, or its .grad; nil if the program has none.
func (s *session) onTape(id graph.TensorID) *autograd.Tensor {
	for _, list := range [][]known{s.own, s.tensors} {
		for _, k := range list {
			if got, ok := s.recorder.IsOnTape(k.tensor); ok && got == id {
				return k.tensor
			}
			if k.tensor != nil {
				if got, ok := s.recorder.IsOnTape(k.tensor.Grad()); ok && got == id {
					return k.tensor.Grad()
				}
			}
		}
	}
	return nil
}

// beginAside begins something that is not part of the run, and must not change it.
func (s *session) beginAside() {
	if !s.silent {
		s.silent, s.back = true, s.recorder.Aside(s.refuseTo)
	}
}

// endAside ends it.
func (s *session) endAside() {
	if !s.silent {
		return
	}
	s.back()
	s.silent, s.back = false, nil
	for _, t := range s.dropped {
		s.recorder.Released(t)
	}
	clear(s.dropped)
	s.dropped = s.dropped[:0]
}

var asideCommands = map[string]command{
	"aside.begin": func(s *session, _ []any, _ []autograd.Option) (any, error) { s.beginAside(); return nil, nil },
	"aside.end":   func(s *session, _ []any, _ []autograd.Option) (any, error) { s.endAside(); return nil, nil },
}

// cancel ends the answer that the program works on.
func (s *session) cancel() { s.channel.store(protocol.WordCancel, 1) }

// refuseTo is the error of an operation that would change the program.
func (s *session) refuseTo(operator string) error {
	if s.refused == "" {
		s.refused = operator
	}
	return &autograd.Error{Type: protocol.Refused, Code: autograd.CodeArgument, Text: operator}
}

// aboutTheRun are the records about what the program does, rather than about where it is.
var aboutTheRun = map[string]bool{"bind": true, "enter": true, "leave": true, "note": true}

// changing are the functions that change more than their first argument, as users call them.
var changing = map[string]string{
	"autograd.backward": "backward()", "tensor.backward": "backward()", "optim.begin": "step() of an optimizer",
	"optim.each": "step() of an optimizer", "optim.zero_grad": "zero_grad()", "settings.default_dtype": "set_default_dtype()",
}

// mayCall returns an error if a function would change the program. Operators that write into
// memory ask by themselves.
func (s *session) mayCall(name string, args []any) error {
	t, _ := marshal.At[*autograd.Tensor](args, 0)
	_, method, _ := strings.Cut(name, ".")
	switch {
	case changing[name] != "":
		return s.refuseTo(changing[name])
	case name == "autograd.grad":
		keep, given := marshal.At[bool](args, 3)
		create, _ := marshal.At[bool](args, 4)
		if keep || !given && create {
			return nil
		}
		return s.refuseTo("grad without retain_graph=True")
	case strings.HasPrefix(name, "set.") || strings.HasSuffix(name, "_") && !strings.HasSuffix(name, "__") || method == "retain_grad":
		if !autograd.IsOlder(t) {
			return nil
		}
	default:
		return nil
	}
	if strings.HasPrefix(name, "set.") {
		method = "assigning ." + method
	}
	return s.refuseTo(method)
}

// versions are the version counters of the tensors that the program has.
func (s *session) versions() map[*autograd.Tensor]int {
	all := map[*autograd.Tensor]int{}
	for _, list := range [][]known{s.own, s.tensors} {
		for _, k := range list {
			if k.tensor != nil {
				if v, err := k.tensor.Version(); err == nil {
					all[k.tensor] = v
				}
			}
		}
	}
	return all
}

// changed is how many tensors have other versions than before.
func (s *session) changed(before map[*autograd.Tensor]int) (n int) {
	for t, v := range before {
		if now, err := t.Version(); err == nil && now != v {
			n++
		}
	}
	return n
}
