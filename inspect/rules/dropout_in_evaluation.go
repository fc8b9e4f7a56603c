package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var dropoutInEvaluation = inspect.Rule{
	Code:     "dropout-in-evaluation",
	Severity: inspect.SeverityWarning,
	Title:    "Dropout drops elements in a module that is in evaluation mode.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &sleepless{
			check: check, seen: map[graph.StackID]bool{},
			hidden: map[graph.ThreadID]*hiddenModule{}, asked: map[graph.TensorID]bool{},
		}
	},
}

// sleepless looks for dropout that does not know the mode of the module around it, be it a function or in a
// module that nothing has registered.
type sleepless struct {
	check  *inspect.Checker
	seen   map[graph.StackID]bool
	found  []dropping
	hidden map[graph.ThreadID]*hiddenModule // the ones that run
	asked  map[graph.TensorID]bool          // parameters of modules that the program put into training mode; 0: one without parameters
}

type dropping struct {
	at     graph.Pos
	stack  graph.StackID
	class  string        // of the module around it
	hidden *hiddenModule // nil: the module around it calls it
}

// A hiddenModule runs in training mode without grad mode, in a module in evaluation mode that has not
// registered it.
type hiddenModule struct {
	class  string
	outer  graph.ModuleID
	host   string // class of the module around it
	params []graph.TensorID
	made   graph.StackID // of the first parameter
}

// Event looks at operations, and follows modules.
func (w *sleepless) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.Called:
		if w.check.Tape().String(e.Function) != "Module.train" {
			return
		}
		if len(e.Tensors) == 0 {
			w.asked[0] = true
		}
		for _, t := range e.Tensors {
			w.asked[t] = true
		}
	case *graph.ModuleEntered:
		w.enter(head.Thread, e)
	case *graph.ModuleLeft:
		if h := w.hidden[head.Thread]; h != nil {
			if m := w.check.Graph().ModuleOf(head.Thread); m == 0 || m == h.outer {
				delete(w.hidden, head.Thread)
			}
		}
	case *graph.OpRan:
		w.ran(p, head, e)
	}
}

// enter notes a module that the one around it has not registered.
func (w *sleepless) enter(thread graph.ThreadID, e *graph.ModuleEntered) {
	g := w.check.Graph()
	outer := g.ModuleOuter(g.ModuleOf(thread))
	if outer == 0 {
		delete(w.hidden, thread)
		return
	}
	if w.hidden[thread] != nil || e.Mode != graph.ModeTraining || w.check.Tape().String(e.Path) != "" {
		return
	}
	if g.ModeOn(thread, graph.GradMode) && !g.ModeOn(thread, graph.InferenceMode) {
		return // it may be what is trained
	}
	if host, ok := g.Module(outer); ok && host.Mode == graph.ModeEvaluation {
		w.hidden[thread] = &hiddenModule{class: w.check.Tape().String(e.Type), outer: outer, host: host.Type}
	}
}

func (w *sleepless) ran(p graph.Pos, head graph.Header, e *graph.OpRan) {
	const most = 64 // parameters of a module
	h := w.hidden[head.Thread]
	if h != nil && len(h.params) < most {
		for _, t := range e.Inputs {
			if in := w.check.Tensor(t); t != 0 && in.Flags&graph.FlagParameter != 0 {
				if h.params = append(h.params, t); len(h.params) == 1 {
					h.made = in.Stack
				}
			}
		}
	}
	if w.seen[head.Stack] || !drops(w.check.Tape(), e) {
		return
	}
	d := dropping{at: p, stack: head.Stack, hidden: h}
	if h != nil {
		d.class = h.host
	} else {
		m, ok := w.check.Graph().Module(w.check.Graph().ModuleOf(head.Thread))
		if !ok || m.Mode != graph.ModeEvaluation || strings.Contains(m.Type, "Dropout") {
			return
		}
		d.class = m.Type
	}
	w.seen[head.Stack] = true
	w.found = append(w.found, d)
}

// drops reports whether an operation sets random elements to zero.
func drops(tape *graph.Tape, ran *graph.OpRan) bool {
	for _, a := range ran.Attrs {
		if tape.String(a.Name) == "dropout" { // the built-in engine says what it is a part of
			return true
		}
	}
	name := strings.TrimSuffix(tape.String(ran.Op), "_")
	if !strings.HasSuffix(name, "dropout") || strings.HasPrefix(name, "native_") {
		return false
	}
	for _, a := range ran.Attrs {
		if a.Type == graph.AttrBool {
			return len(a.Ints) == 1 && a.Ints[0] != 0
		}
	}
	return false
}

// meant is a call that asks for dropout whatever the mode.
var meant = regexp.MustCompile(`training\s*=\s*True|,\s*True\s*[,)]`)

// End reports the dropouts that were not asked for.
func (w *sleepless) End() {
	hidden := map[place]bool{} // lines that are reported
	for _, d := range w.found {
		here := w.check.In(d.stack, d.at, "drops elements in evaluation mode, too")
		if meant.MatchString(w.check.Text(here.Frame)) {
			continue
		}
		if d.hidden != nil {
			f, ok := w.unreached(d, here)
			if line := (place{f.Primary.File, f.Primary.Line}); ok && !hidden[line] {
				hidden[line] = true
				w.check.Report(f)
			}
			continue
		}
		w.check.Report(inspect.Finding{
			Message: "dropout is active although " + d.class + " is in evaluation mode",
			Primary: here,
			Help:    "pass `training=self.training`, or use nn.Dropout, which knows the mode of its module",
			Evidence: facts(
				w.check.In(d.stack, d.at, d.class+" is in evaluation mode when this runs"),
				w.check.In(d.stack, d.at, "the call does not ask for dropout whatever the mode"),
			),
			Instead: []inspect.Alternative{not("train-mode-in-evaluation", "the module around it is in evaluation mode")},
			At:      d.at,
			Symptom: -1,
		})
	}
}

// aNewDropout matches code that makes a module for dropout.
var aNewDropout = regexp.MustCompile(`\bDropout\w*\(`)

// unreached returns a finding about dropout in a module that eval() does not reach; ok is false if the program
// has put that module into training mode itself.
func (w *sleepless) unreached(d dropping, here inspect.Span) (f inspect.Finding, ok bool) {
	h := d.hidden
	if len(h.params) == 0 && w.asked[0] || slices.ContainsFunc(h.params, func(t graph.TensorID) bool { return w.asked[t] }) {
		return f, false
	}
	call := here
	call.Label = "runs in training mode"
	stack := w.check.Tape().Stack(d.stack)
	if i := slices.IndexFunc(stack, func(f graph.Frame) bool { return f.Func == h.host+".forward" }); i >= 0 && !inspect.IsLibrary(stack[i].File) {
		call.Frame = stack[i]
	}
	f = inspect.Finding{
		Message: "dropout is active although " + h.host + " is in evaluation mode: " + h.host + " has not registered its " + h.class + ", so eval() does not reach it",
		Primary: call,
		Help:    "keep modules as attributes or in nn.ModuleList and nn.ModuleDict, not in a plain list or dict",
		Evidence: facts(
			w.check.In(d.stack, d.at, h.class+" is in training mode when this drops elements, "+h.host+" is in evaluation mode, and grad mode is off"),
			fact("%s is not among the modules that are registered below the outermost one", h.class),
			fact("train() is never called for it"),
		),
		Instead: []inspect.Alternative{not("train-mode-in-evaluation", "the module around it is in evaluation mode")},
		At:      d.at,
		Symptom: -1,
	}
	first, _ := w.check.Function(here.File, here.Line)
	if line, ok := w.check.Find(here.File, first, here.Line, aNewDropout); ok && first > 0 {
		f.Primary = w.check.LineSpan(here.File, line, "makes a new module, in training mode, for each call")
		if line != here.Line {
			f.Related = []inspect.Span{call}
		}
		f.Help = "make the module in __init__ and keep it as an attribute: eval() reaches it there"
	} else if kept, ok := w.keeper(h, d.at); ok {
		f.Primary, f.Related = kept, []inspect.Span{call}
	}
	return f, true
}

// keeper returns the line at which the constructor of the module around a hidden one makes it.
func (w *sleepless) keeper(h *hiddenModule, at graph.Pos) (inspect.Span, bool) {
	for _, frame := range w.check.Tape().Stack(h.made) {
		if frame.Func != h.host+".__init__" && !strings.HasPrefix(frame.Func, h.host+".__init__.") {
			continue
		}
		if line, ok := plainContainer(w.check.History, frame); ok {
			return w.check.LineSpan(frame.File, line, "this container registers nothing that is in it"), true
		}
		return inspect.Span{Frame: frame, Label: "made here, and not registered", At: at}, true
	}
	return inspect.Span{}, false
}
