package rules

import (
	"fmt"
	"regexp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var zeroLearningRate = inspect.Rule{
	Code:     "zero-learning-rate",
	Severity: inspect.SeverityWarning,
	Title:    "Every step of an optimizer has a learning rate of zero.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &idleSteps{check: check, of: map[uint32]*idling{}}
	},
}

// idleSteps counts the steps of each optimizer that have no effect.
type idleSteps struct {
	check *inspect.Checker
	of    map[uint32]*idling
	order []uint32
}

type idling struct {
	made  graph.Pos // when the optimizer was made; -1: unknown
	began bool      // with a rate of zero
	first graph.Pos // step
	steps int
	moves bool // a step had another rate
}

// Event counts a step.
func (w *idleSteps) Event(p graph.Pos, _ graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.OptimizerMade:
		if o := w.optimizer(e.Number); o.made < 0 {
			o.made, o.began = p, allZero(e.Rates)
		}
	case *graph.OptimizerStepped:
		if e.Done || e.Number == 0 {
			return
		}
		o := w.optimizer(e.Number)
		if o.steps++; o.steps == 1 {
			o.first = p
		}
		o.moves = o.moves || !allZero(e.Rates)
	}
}

func (w *idleSteps) optimizer(number uint32) *idling {
	o := w.of[number]
	if o == nil {
		o = &idling{made: -1}
		w.of[number] = o
		w.order = append(w.order, number)
	}
	return o
}

// allZero reports whether there are rates, all zero.
func allZero(rates []float64) bool {
	for _, r := range rates {
		if r != 0 {
			return false
		}
	}
	return len(rates) > 0
}

// End reports the optimizers that have changed nothing.
func (w *idleSteps) End() {
	const enough = 3 // steps; a schedule may begin with one of zero
	for _, number := range w.order {
		o := w.of[number]
		if number == 0 || o.moves || o.steps < enough {
			continue
		}
		step := w.check.At(o.first, "this step changes nothing")
		primary, related := step, []inspect.Span{}
		if o.made >= 0 {
			related = append(related, step)
			primary = w.check.At(o.made, "the learning rate of this optimizer is zero")
			if places := w.ratePlaces(); !o.began && len(places) > 0 {
				primary, related = places[0], append(places[1:], primary, step)
			}
		}
		w.check.Report(inspect.Finding{
			Message:  "every step has a learning rate of zero: nothing is trained",
			Primary:  primary,
			Related:  related,
			Help:     "print scheduler.get_last_lr(): a warm-up that divides integers, or a schedule that is over, gives zero",
			Evidence: facts(w.check.At(o.first, fmt.Sprintf("all %d steps have a learning rate of zero", o.steps))),
			Instead:  []inspect.Alternative{not("optimizer-missing-param", "the optimizer holds what it should train")},
			At:       o.first,
			Symptom:  -1,
		})
	}
}

var (
	setsRate  = regexp.MustCompile(`\[\s*['"]lr['"]\s*\]\s*[-+*/]?=[^=]`)
	schedules = regexp.MustCompile(`\b\w*(?:LR|Scheduler|Plateau)\s*\(\s*\w+\s*,\s*(?:lr_lambda\s*=\s*)?(lambda\b|\w+)?`)
)

// ratePlaces returns the lines of the program that set a learning rate: functions that
// schedules call, assignments to a group's "lr", and schedules themselves.
func (w *idleSteps) ratePlaces() (places []inspect.Span) {
	var made []inspect.Span
	for _, file := range w.check.ProgramSources() {
		for i := range w.check.Source(file) {
			text := w.check.LineText(file, i+1)
			if setsRate.MatchString(text) {
				places = append(places, w.check.LineSpan(file, i+1, "sets the learning rate"))
			}
			m := schedules.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			made = append(made, w.check.LineSpan(file, i+1, "the schedule is made here"))
			if m[1] == "" || m[1] == "lambda" {
				continue
			}
			define := regexp.MustCompile(`^\s*(?:def\s+` + m[1] + `\s*\(|` + m[1] + `\s*=\s*lambda\b)`)
			last := len(w.check.Source(file))
			if def, ok := w.check.Find(file, 1, last, define); ok {
				returns := regexp.MustCompile(`\breturn\b|=\s*lambda\b`)
				for n := def; n <= w.check.BlockEnd(file, def); n++ {
					if returns.MatchString(w.check.LineText(file, n)) {
						places = append(places, w.check.LineSpan(file, n, "computes the learning rate"))
					}
				}
			}
		}
	}
	return append(places, made...)
}
