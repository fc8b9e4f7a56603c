package audit

import (
	"embed"
	"fmt"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

//go:embed docs/*.md
var docs embed.FS

// A Measurement audits a step when its rules look back at a program.
type Measurement struct {
	Options
	Result *Result // nil before, and after an error
	Err    error
	ran    bool
}

// Codes are the codes of all rules.
var Codes = []string{"gradient-lost", "gradient-wrong"}

// Rules are what a measurement can find, sorted by code. They share one audit.
func (m *Measurement) Rules() []inspect.Rule {
	return []inspect.Rule{
		{
			Code:     Codes[0],
			Severity: inspect.SeverityWarning,
			Title:    "Backward does not deliver a part of the derivative of the loss (only with an audit).",
			Doc:      document(Codes[0]),
			Watch: m.reports(func(check *inspect.Checker, r *Result) {
				if r.Verdict() == Lost || r.Verdict() == Lies {
					for i := range r.Cuts {
						r.reportCut(check, &r.Cuts[i])
					}
				}
			}),
		},
		{
			Code:     Codes[1],
			Severity: inspect.SeverityError,
			Title:    "A node delivers something else than the derivative of its operation (only with an audit).",
			Doc:      document(Codes[1]),
			Watch: m.reports(func(check *inspect.Checker, r *Result) {
				for i := range r.Changes {
					reportChange(check, &r.Changes[i])
				}
			}),
		},
	}
}

func document(code string) string {
	text, err := docs.ReadFile("docs/" + code + ".md")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

func (m *Measurement) reports(report func(*inspect.Checker, *Result)) func(*inspect.Checker) inspect.Observer {
	return func(check *inspect.Checker) inspect.Observer {
		return inspect.AtEnd(func() {
			if !m.ran {
				m.ran = true
				m.Result, m.Err = Run(check.History, m.Options)
			}
			if m.Err == nil {
				report(check, m.Result)
			}
		})
	}
}

// instead says what to write where a gradient was cut.
var instead = map[string]string{
	graph.CutData.String():   "use the tensor itself instead of its .data",
	graph.CutNoGrad.String(): "compute it outside of no_grad",
	graph.CutItem.String():   "go on with the tensor instead of the number; .item() is for printing",
	graph.CutNumpy.String():  "compute it with torch instead of NumPy",
	Written:                  "make a new tensor instead of writing past autograd",
}

func (r *Result) reportCut(check *inspect.Checker, c *Cut) {
	if c.OnPurpose() {
		return
	}
	help, ok := instead[c.Why]
	if !ok {
		help = "stack the tensors, or go on with the tensor itself, instead of making a new one of its numbers"
	}
	check.Report(inspect.Finding{
		Message: fmt.Sprintf("backward delivers %s of the derivative of the loss in step %d; %s is lost here (%s)",
			Percent(r.Part(r.Visible)), r.Step.Number, Percent(r.Part(c.Share)), c.Why),
		Primary: inspect.Span{Frame: c.Frame, Label: "a value that depends on the leaves becomes a constant", At: c.At},
		Related: []inspect.Span{check.At(r.Step.End-1, "this backward pass does not see it")},
		Help:    help + "; if it is meant to be a constant, write detach()",
		At:      c.At,
		Symptom: -1,
	})
}

func reportChange(check *inspect.Checker, c *Change) {
	if c.OnPurpose() {
		return
	}
	f := inspect.Finding{
		Message: fmt.Sprintf("%s delivers %.6g where the derivative of its operation is %.6g, along a random direction", c.Name, c.Delivered, c.Expected),
		Primary: inspect.Span{Frame: c.Frame, Label: "the operation whose derivative is wrong", At: c.At},
		Help:    "look for what changes the operands or the result of this operation before its backward runs",
		At:      c.At,
		Symptom: -1,
	}
	if c.Backward.File != "" {
		f.Related = []inspect.Span{f.Primary}
		f.Primary = inspect.Span{Frame: c.Backward, Label: "this backward is not the derivative of the forward", At: -1}
		f.Help = "correct backward: it must return the derivative of what forward computes, times the gradient that comes in"
	}
	check.Report(f)
}
