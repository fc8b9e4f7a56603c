package rules

import (
	"regexp"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var dropoutInEvaluation = inspect.Rule{
	Code:     "dropout-in-evaluation",
	Severity: inspect.SeverityWarning,
	Title:    "Dropout drops elements in a module that is in evaluation mode.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &sleepless{check: check, seen: map[graph.StackID]bool{}}
	},
}

// sleepless looks for dropout that does not know the mode of the module around it.
type sleepless struct {
	check *inspect.Checker
	seen  map[graph.StackID]bool
	found []dropping
}

type dropping struct {
	at    graph.Pos
	stack graph.StackID
	class string // of the module around it
}

// Event looks at an operation.
func (w *sleepless) Event(p graph.Pos, head graph.Header, e graph.Event) {
	ran, ok := e.(*graph.OpRan)
	if !ok || w.seen[head.Stack] || !drops(w.check.Tape(), ran) {
		return
	}
	m, ok := w.check.Graph().Module(w.check.Graph().ModuleOf(head.Thread))
	if !ok || m.Mode != graph.ModeEvaluation || strings.Contains(m.Type, "Dropout") {
		return
	}
	w.seen[head.Stack] = true
	w.found = append(w.found, dropping{p, head.Stack, m.Type})
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
	for _, d := range w.found {
		place := w.check.In(d.stack, d.at, "drops elements in evaluation mode, too")
		if meant.MatchString(w.check.Text(place.Frame)) {
			continue
		}
		w.check.Report(inspect.Finding{
			Message: "dropout is active although " + d.class + " is in evaluation mode",
			Primary: place,
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
