package inspect

import (
	"regexp"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// SameIterationAsPass reports whether an operation and a backward pass that needs its result
// belong to one iteration. It is stricter than SameIteration: where no parameters are updated,
// an iteration has also begun when the program came to the operation's line again, or when
// the pass is in a loop and the operation is not.
func (h *History) SameIterationAsPass(op, pass graph.Pos) bool {
	if !h.SameIteration(op, pass) {
		return false
	}
	line, caller := h.StackAt(op), h.StackAt(pass)
	again := h.visitBefore(caller, pass)
	if again < op {
		return true
	}
	return !h.visited(line, again, pass) && h.sameLoop(line, caller)
}

// sameLoop reports whether the code of two call stacks is in the same loop. Code in different
// functions is compared in the function that called both.
func (h *History) sameLoop(a, b graph.StackID) bool {
	first, second, ok := meeting(h.tape.Stack(a), h.tape.Stack(b))
	if !ok {
		return false
	}
	for _, n := range h.loops(second.File, second.Line) {
		if first.Line >= n && first.Line <= h.BlockEnd(first.File, n) {
			return true
		}
	}
	return false
}

// Meeting returns the line of the innermost function that two call stacks are both in, at
// which the first one goes on. ok is false if they have no function in common.
func (h *History) Meeting(first, second graph.StackID) (line graph.Frame, ok bool) {
	line, _, ok = meeting(h.tape.Stack(first), h.tape.Stack(second))
	return line, ok
}

// meeting returns the frames of two stacks in the innermost function that is in both.
func meeting(a, b graph.Stack) (first, second graph.Frame, ok bool) {
	for i, j := len(a)-1, len(b)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if a[i].File != b[j].File || a[i].Func != b[j].Func {
			break
		}
		first, second, ok = a[i], b[j], true
		if a[i].Line != b[j].Line {
			break
		}
	}
	return first, second, ok
}

var looping = regexp.MustCompile(`^\s*(async\s+)?(for|while)\b`)

// InLoop reports whether a line is in a loop of its function.
func (h *History) InLoop(file string, line int) bool { return len(h.loops(file, line)) > 0 }

// LoopAround returns the first line of the innermost loop around a line in its function; ok is
// false if there is none.
func (h *History) LoopAround(file string, line int) (first int, ok bool) {
	if loops := h.loops(file, line); len(loops) > 0 {
		return loops[0], true
	}
	return 0, false
}

// A Loop is the first line of a loop of the program.
type Loop struct {
	File string
	Line int
}

// Loops returns the loops that a call stack is in, outermost first, in all its functions.
func (h *History) Loops(s graph.StackID) (nest []Loop) {
	for _, f := range slices.Backward(h.tape.Stack(s)) {
		if IsLibrary(f.File) {
			break
		}
		for _, line := range slices.Backward(h.loops(f.File, f.Line)) {
			nest = append(nest, Loop{f.File, line})
		}
	}
	return nest
}

// loops returns the first lines of the loops around a line in its function, innermost
// first.
func (h *History) loops(file string, line int) []int {
	return slices.DeleteFunc(h.headers(file, line), func(n int) bool { return !looping.MatchString(h.LineText(file, n)) })
}

var (
	expecting     = regexp.MustCompile(`^\s*(async\s+)?with\b.*\b(raises|assertRaises\w*|suppress)\(`)
	expectingCall = regexp.MustCompile(`\b(raises|assertRaises\w*)\(`)
)

// ExpectsError reports whether the code of an event expects an exception: it is in the block of
// pytest.raises(), assertRaises() or contextlib.suppress(), or called by one of the first two.
func (h *History) ExpectsError(p graph.Pos) bool {
	return slices.ContainsFunc(h.tape.Stack(h.StackAt(p)), func(f graph.Frame) bool {
		return expectingCall.MatchString(h.Text(f)) || slices.ContainsFunc(h.headers(f.File, f.Line), func(n int) bool {
			return expecting.MatchString(h.LineText(f.File, n))
		})
	})
}

// headers returns the first lines of the blocks around a line in its function, innermost
// first.
func (h *History) headers(file string, line int) (found []int) {
	lines := h.Source(file)
	if line < 1 || line > len(lines) {
		return nil
	}
	level := indent(lines[line-1])
	for n := line - 1; n >= 1 && level > 0; n-- {
		in := indent(lines[n-1])
		if in < 0 || in >= level {
			continue
		}
		level = in
		if definition.MatchString(lines[n-1]) {
			break
		}
		found = append(found, n)
	}
	return found
}
