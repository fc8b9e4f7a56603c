package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// endedWith begins the code of the finding that stands for the exception that ended the program.
const endedWith = "ended with "

// isEnding reports whether a finding stands for the exception that ended the program.
func isEnding(f *inspect.Finding) bool { return strings.HasPrefix(f.Code, endedWith) }

// addEnding adds the exception that ended the program to what the rules found, unless a finding
// is about that very error. It comes first, or behind the errors, each of which may be its cause.
func addEnding(tape *graph.Tape, end graph.Pos, r *inspect.Result) {
	f, ok := recordedEnding(r)
	if _, failed := r.History.Failed(); !failed {
		f, ok = printedEnding(tape, end)
	}
	if !ok {
		return
	}
	i := 0
	for i < len(r.Findings) && r.Findings[i].Severity == inspect.SeverityError {
		i++
	}
	r.Findings = slices.Insert(r.Findings, i, f)
}

// recordedEnding makes a finding of the exception that ended the program, with the calls that led
// to it and the tensors that their lines name; ok is false if a finding is about it.
func recordedEnding(r *inspect.Result) (f inspect.Finding, ok bool) {
	h, tape := r.History, r.History.Tape()
	p, ok := h.Failed()
	if !ok {
		return f, false
	}
	kind, message, _ := errorAt(tape, p)
	about := func(f inspect.Finding) bool { return sameError(tape, f.Symptom, p) }
	if slices.ContainsFunc(r.Findings, about) {
		return f, false
	}
	f = inspect.Finding{
		Code: endedWith + kind, Severity: inspect.SeverityError, Message: message,
		Primary: h.At(p, "raised here"), Related: h.Callers(p), At: p, Symptom: p, Count: 1,
	}
	for _, s := range append([]inspect.Span{f.Primary}, f.Related...) {
		f.Related = append(f.Related, namedAt(h, s.Frame, &f)...)
	}
	if top := tape.Stack(h.StackAt(p)).Top(); top != f.Primary.Frame && top.Line > 0 {
		f.Primary.Label = "raised by what is called here"
		f.Related = append(f.Related, inspect.Span{Frame: top, Label: "raised here, in library code", At: p})
	}
	return f, true
}

// mostNamed bounds the tensors of an ending.
const mostNamed = 6

// namedAt returns where the tensors were made that a line of the program names, and adds their names to a
// finding, which leaves out those that it has. A name means what its function gave it: a global variable may
// be hidden by a parameter.
func namedAt(h *inspect.History, at graph.Frame, f *inspect.Finding) (spans []inspect.Span) {
	code, scope := h.Text(graph.Frame{File: at.File, Line: at.Line}), at.Func
	if strings.HasPrefix(scope, "<") {
		scope = ""
	}
	for b := range h.Graph().Bindings() {
		t, ok := h.Graph().Tensor(b.Tensor)
		if !ok || b.Scope != scope && !strings.HasPrefix(b.Name, "self.") || !inspect.Mentions(code, b.Name) || slices.Contains(f.Tensors, b.Name) || len(f.Tensors) == mostNamed {
			continue
		}
		f.Tensors = append(f.Tensors, b.Name)
		s := h.At(t.Created, fmt.Sprintf("`%s` is %s %s, on %s", b.Name, t.DType, inspect.ShapeText(t.Shape), t.Device))
		spans = append(spans, s)
	}
	return spans
}

// errorAt returns the error that an event is about.
func errorAt(tape *graph.Tape, p graph.Pos) (kind, message string, ok bool) {
	if p < 0 || p >= tape.Len() {
		return "", "", false
	}
	_, e, err := tape.At(p)
	if err != nil {
		return "", "", false
	}
	switch e := e.(type) {
	case *graph.Raised:
		return tape.String(e.Type), e.Message, true
	case *graph.BackwardFailed:
		return tape.String(e.Type), e.Message, true
	case *graph.ProgramFailed:
		return tape.String(e.Type), e.Message, true
	}
	return "", "", false
}

// sameError reports whether two events are about the same error, which goes from one to the other.
func sameError(tape *graph.Tape, p, q graph.Pos) bool {
	kind, message, ok := errorAt(tape, p)
	k, m, also := errorAt(tape, q)
	return ok && also && kind == k && message == m
}

// Lines of a traceback as Python prints it.
var (
	tracedFrame = regexp.MustCompile(`^  File "([^"]+)", line (\d+)(?:, in (.+))?$`)
	tracedError = regexp.MustCompile(`^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit))(?:: (.*))?$`)
)

// mostTraced is how many of the last lines of output are searched for a traceback.
const mostTraced = 200

// printedEnding makes a finding of the traceback that the program printed last: an error that
// came before anything was recorded, as a SyntaxError does, is only there.
func printedEnding(tape *graph.Tape, end graph.Pos) (f inspect.Finding, ok bool) {
	o := newPrinted(tape)
	o.Extend(end)
	var spans []inspect.Span
	for _, l := range o.lines[max(len(o.lines)-mostTraced, 0):] {
		text := strings.TrimRight(l.text, " \r")
		if at := tracedFrame.FindStringSubmatch(text); at != nil {
			line, _ := strconv.Atoi(at[2])
			spans = append(spans, inspect.Span{Frame: graph.Frame{File: at[1], Line: line, Func: at[3]}, Label: "called here", At: -1})
			continue
		}
		if code := strings.TrimSpace(text); len(spans) > 0 && strings.HasPrefix(text, "    ") && strings.Trim(code, "^~ ") != "" {
			spans[len(spans)-1].Label += ": " + code
			continue
		}
		if e := tracedError.FindStringSubmatch(text); e != nil && len(spans) > 0 {
			f, ok = inspect.Finding{Code: endedWith + e[1], Severity: inspect.SeverityError, Message: e[2], At: l.at, Symptom: l.at, Count: 1}, true
			slices.Reverse(spans)
			own := slices.IndexFunc(spans, func(s inspect.Span) bool { return !inspect.IsLibrary(s.File) })
			f.Primary = spans[max(own, 0)]
			f.Primary.Label = "raised" + strings.TrimPrefix(f.Primary.Label, "called")
			f.Related, spans = slices.Delete(spans, max(own, 0), max(own, 0)+1), nil
		} else if strings.HasPrefix(text, "Traceback ") {
			spans = nil
		}
	}
	return f, ok
}
