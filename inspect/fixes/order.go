package fixes

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect/internal/pysyntax"
)

// callMethod calls a method that was only named, such as w.grad.zero_ without brackets.
func callMethod(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || st.Op != "" || st.Value.Form != pysyntax.Attribute || !slices.Contains([]string{"zero_", "zero_grad"}, st.Value.Text) {
		return ""
	}
	s.insert(st.Value.End, "()")
	return "call `" + s.text(st.Value) + "`"
}

// pass is the statement that adds to gradients: of the primary line or of a related one.
func (s *scene) pass() *pysyntax.Stmt {
	for _, st := range []*pysyntax.Stmt{s.primary(), s.related("adds to the gradient"), s.related("computes the gradients")} {
		if st != nil && st.Keyword == "" && s.only(st, calls("backward")) != nil {
			return st
		}
	}
	return nil
}

// optimizer is what the statement of a step calls step of; nil if it is not such a statement.
func (s *scene) optimizer(st *pysyntax.Stmt) (of, call *pysyntax.Expr) {
	call = s.only(st, calls("step"))
	if call == nil {
		return nil, nil
	}
	if of, _ = call.Method(); of == nil || of.Dotted() == "" {
		return nil, nil
	}
	return of, call
}

// clearOptimizer calls zero_grad() of the optimizer that uses gradients of earlier iterations.
func clearOptimizer(s *scene) string {
	pass, step := s.pass(), s.related("updates with")
	of, call := s.optimizer(step)
	if pass == nil || of == nil {
		return ""
	}
	line := of.Dotted() + ".zero_grad()"
	switch {
	case pass.Parent == step.Parent && pass.Start < step.Start, len(call.Args) > 0 && s.visible(of.Dotted(), step, pass):
		if !s.before(pass, line) {
			return ""
		}
	case slices.ContainsFunc(s.file.All, func(st *pysyntax.Stmt) bool {
		return strings.Contains(s.file.Text[st.Start:st.End], ".grad") && st.Start > step.Start
	}):
		return "" // may read what would be cleared
	case !s.after(step, line):
		return ""
	}
	return "clear the gradients of `" + of.Dotted() + "` in each step"
}

// clearByHand clears a gradient that was used in an update without an optimizer.
func clearByHand(s *scene) string {
	st := s.related("updates with")
	if st == nil || st.Keyword != "" {
		return ""
	}
	var gradient *pysyntax.Expr
	st.Each(func(e *pysyntax.Expr) {
		if e.Form == pysyntax.Attribute && e.Text == "grad" && e.X.Dotted() != "" {
			gradient = e
		}
	})
	if gradient == nil || !s.after(st, s.text(gradient)+".zero_()") {
		return ""
	}
	return "clear `" + s.text(gradient) + "` after the update"
}

// clearBeforeRead clears a gradient before a pass whose gradient is read.
func clearBeforeRead(s *scene) string {
	pass, read := s.pass(), s.related("read here")
	if pass == nil || read == nil {
		return ""
	}
	gradient := s.only(read, func(e *pysyntax.Expr) bool {
		return e.Form == pysyntax.Attribute && e.Text == "grad" && e.X.Dotted() != ""
	})
	if gradient == nil || pass.Parent != read.Parent || !s.before(pass, s.text(gradient)+" = None") {
		return ""
	}
	return "clear `" + s.text(gradient) + "` before each pass"
}

// sibling is the next statement of the same block, or the one before, with a call of a method.
func (s *scene) sibling(st *pysyntax.Stmt, method string) *pysyntax.Stmt {
	var found *pysyntax.Stmt
	for _, other := range s.file.All {
		if other.Parent == st.Parent && other.Start > st.Start && other.Keyword == "" && s.only(other, calls(method)) != nil {
			if found == nil {
				found = other
			}
		}
	}
	return found
}

// moveStep puts the calls of an iteration into their order.
func moveStep(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || st.Op != "" {
		return ""
	}
	pass := s.pass()
	done := false
	switch of, method := st.Value.Method(); {
	case pass != nil && method == "zero_grad" && pass.Start < st.Start:
		done = s.move(st, pass, false)
	case pass != nil && method == "step" && pass.Start > st.Start && of.Dotted() != "":
		done = s.move(st, pass, true)
	case strings.HasPrefix(called(st.Value), "clip_grad_") && s.related("before they are clipped") != nil:
		done = s.move(st, s.related("before they are clipped"), false)
	case strings.HasPrefix(called(st.Value), "clip_grad_") && strings.Contains(s.f.Message, "before backward()"):
		done = s.move(st, s.sibling(st, "backward"), true)
	case method == "step" && strings.Contains(s.f.Message, "scheduler"):
		to := s.sibling(st, "step")
		if of, _ := s.optimizer(to); of != nil && of.Dotted() != st.Value.X.X.Dotted() {
			done = s.move(st, to, true)
		}
	}
	if !done {
		return ""
	}
	return "move `" + s.text(st.Value) + "` to its place in the iteration"
}

// stepLater steps after the backward pass that needs the weights.
func stepLater(s *scene) string {
	st, pass := s.primary(), s.related("needs the old weights")
	if st == nil || pass == nil || st.Keyword != "" || pass.Start < st.Start || s.only(pass, calls("backward")) == nil {
		return ""
	}
	of, call := s.optimizer(st)
	if of == nil || len(call.Args) > 0 || !s.move(st, pass, true) {
		return ""
	}
	return "step after the backward pass that needs the weights"
}

// addStep steps the optimizer that holds a parameter.
func addStep(s *scene) string {
	pass, made := s.pass(), s.related("this optimizer holds the parameter")
	if pass == nil || made == nil || made.Op != "=" || len(made.Targets) != 1 {
		return ""
	}
	name := made.Targets[0].Dotted()
	for _, other := range s.file.All {
		of, _ := s.optimizer(other)
		if of != nil && of.Dotted() == name {
			return "" // it steps somewhere
		}
	}
	if name == "" || !s.visible(name, made, pass) || !s.after(pass, name+".step()") {
		return ""
	}
	return "step `" + name + "`"
}

// moveScheduler steps a scheduler where its plan wants it: behind the loop over the batches, or in it.
func moveScheduler(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || st.Op != "" || !st.First || !st.Last || !inBlock(st) || called(st.Value) != "step" {
		return ""
	}
	line := s.file.Text[st.Start:st.End]
	switch {
	case strings.Contains(s.f.Message, "in every batch"):
		loop := st.Parent
		if loop == nil || loop.Keyword != "for" || loop.Around("for", "while") == nil || function(loop.Around("for", "while")) != function(st) || s.alone(st) {
			return ""
		}
		if !s.afterBlock(loop, line) {
			return ""
		}
	case strings.Contains(s.f.Message, "one for each batch"):
		step := s.related("the optimizer steps here")
		if step == nil || function(step) != function(st) || !s.after(step, line) {
			return ""
		}
	default:
		return ""
	}
	start, end := s.lineStart(st.Start), s.lineEnd(st.End)
	if end < len(s.file.Text) {
		end += len(s.eol())
	}
	// What is put behind the last statement of the loop stays behind it when that is the one that goes.
	for i, e := range s.edits {
		if e.start == s.lineEnd(st.End) {
			s.edits[i] = edit{start, s.lineEnd(st.End), strings.TrimPrefix(e.text, s.eol())}
			return "step the scheduler once per epoch"
		}
	}
	if s.alone(st) {
		return ""
	}
	s.edits = append(s.edits, edit{start, end, ""})
	if strings.Contains(s.f.Message, "one for each batch") {
		return "step the scheduler in each batch"
	}
	return "step the scheduler once per epoch"
}

// alone reports whether a statement is the only one of its block.
func (s *scene) alone(st *pysyntax.Stmt) bool {
	return !slices.ContainsFunc(s.file.All, func(other *pysyntax.Stmt) bool { return other != st && other.Parent == st.Parent })
}
