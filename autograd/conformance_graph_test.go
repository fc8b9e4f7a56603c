package autograd_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pyeval"
)

// This file describes the graph of an expression in the form of
// tools/record/conformance/operators.py.

// operatorLabel is the width of the labels in operators.txt.
const operatorLabel = 26

// graphCase returns the label of a line of the recording.
func graphCase(line string) string {
	if failed, ok := strings.CutPrefix(line, "? "); ok {
		label, _, _ := strings.Cut(failed, " !! ")
		return strings.TrimSpace(label)
	}
	return strings.TrimSpace(line[:min(operatorLabel, len(line))])
}

// readLines returns the lines of a file that are not headings.
func readLines(t *testing.T, path string) (lines []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "---") {
			lines = append(lines, line)
		}
	}
	return lines
}

// operatorPrelude returns the program that defines the names in the
// expressions.
func operatorPrelude(t *testing.T) string {
	text, err := os.ReadFile("testdata/conformance/prelude.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// graphLines describes each result of an expression.
func graphLines(in *pyeval.Interpreter, label, expression string) []string {
	v, err := in.Run(expression)
	if err != nil {
		return []string{fmt.Sprintf("? %-40s !! %v", label, err)}
	}
	var results []*Tensor
	switch v := v.(type) {
	case *Tensor:
		results = []*Tensor{v}
	case Tuple:
		results = tensorsOf(v)
	case NamedTuple:
		results = tensorsOf(v.Tuple)
	case []any:
		results = tensorsOf(v)
	}
	results = slices.DeleteFunc(results, func(t *Tensor) bool { return t == nil })
	var lines []string
	for i, r := range results[:min(3, len(results))] {
		name := label
		n, _ := r.GradFn()
		if len(results) > 1 || n == nil {
			name = fmt.Sprintf("%s [out%d]", label, i)
		}
		if n == nil {
			on := map[bool]string{true: "True", false: "False"}[r.RequiresGrad()]
			lines = append(lines, fmt.Sprintf("%-26s %-34s   ()  requires_grad=%s torch.%s", name, "(no grad_fn)", on, r.DType()))
			continue
		}
		lines = append(lines, fmt.Sprintf("%-26s %-34s%2s (%s)  %s", name, n.ClassName(), viewMark(r), targets(n), remembered(results[0], r, n, i)))
	}
	return lines
}

func tensorsOf(values []any) []*Tensor {
	list := make([]*Tensor, len(values))
	for i, v := range values {
		list[i], _ = v.(*Tensor)
	}
	return list
}

func viewMark(t *Tensor) string {
	if t.IsView() {
		return "V"
	}
	return ""
}

func targets(n *Node) string {
	var names []string
	for _, e := range n.NextFunctions() {
		switch {
		case e.Node == nil:
			names = append(names, "-")
		default:
			names = append(names, strings.Replace(e.Node.ClassName(), "AccumulateGrad", "Acc", 1))
		}
	}
	return strings.Join(names, ", ")
}

// remembered describes what the node of result i saved. For results after the
// first it only shows whether the node is the same.
func remembered(first, result *Tensor, n *Node, i int) string {
	if i > 0 {
		if fn, _ := first.GradFn(); fn != n {
			return "(another node)"
		}
		return fmt.Sprintf("(same node, output_nr %d)", result.OutputNr())
	}
	var names []string
	for _, name := range n.SavedNames() {
		name, _, _ = strings.Cut(name, "[")
		names = append(names, name)
	}
	attrs, _ := n.Attrs()
	names = append(names, attrs...)
	slices.Sort(names)
	var parts []string
	for _, name := range slices.Compact(names) {
		v, err := Attr(n, "_saved_"+name)
		text := detailed(v)
		if _, ok := v.(*Tensor); ok {
			text = "T"
		}
		if err != nil {
			text = err.Error()
		}
		parts = append(parts, name+"="+text)
	}
	text := strings.Join(parts, " ")
	if freedBySecondBackward(result) {
		text += "  !2"
	}
	return text
}

// detailed describes a saved value.
func detailed(v any) string {
	switch x := v.(type) {
	case nil:
		return "None"
	case *Tensor:
		history := "const"
		if fn, _ := x.GradFn(); fn != nil {
			history = fn.ClassName()
		} else if x.RequiresGrad() {
			history = "leaf"
		}
		return fmt.Sprintf("T%s:%s:%s", shapeTuple(x.Shape()), x.DType(), history)
	case Tuple:
		return "(" + joined(x) + ")"
	case []any:
		return "(" + joined(x) + ")"
	case string:
		return "'" + x + "'"
	case uint64:
		if x>>63 != 0 {
			return fmt.Sprintf("%d†", int64(x))
		}
		if x == 1<<63-1 {
			return "2^63-1"
		}
		return fmt.Sprint(x)
	case bool:
		return map[bool]string{true: "True", false: "False"}[x]
	case float64:
		return FloatScalar(x).String()
	}
	return fmt.Sprint(v)
}

func joined(list []any) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = detailed(v)
	}
	return strings.Join(parts, ", ")
}

func shapeTuple(shape []int) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	if len(shape) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

// freedBySecondBackward reports whether a second backward fails because the
// saved tensors are freed.
func freedBySecondBackward(t *Tensor) bool {
	grad, err := CallFunction("torch.ones_like", []any{t})
	if err != nil {
		return false
	}
	if _, err := CallAttr(t, "backward", []any{grad}); err != nil {
		return false
	}
	_, err = CallAttr(t, "backward", []any{grad})
	return errors.Is(err, CodeFreed)
}
