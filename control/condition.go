package control

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// A Condition restricts a breakpoint: it compares a quantity of the tensor that was made
// or changed, or of the gradient that arrived, with a number. The zero value always
// holds.
type Condition struct {
	Quantity string  `json:"quantity"` // "version", "numel", "min", "max", "mean", "nan" or "inf"
	Is       string  `json:"is"`       // "<", "<=", "==", "!=", ">=" or ">"
	Than     float64 `json:"than"`
}

// A quantity is something that a value has.
type quantity struct {
	name string
	of   func(v graph.Value) float64
}

var quantities = []quantity{
	{"version", nil}, // which does not depend on values
	{"numel", func(v graph.Value) float64 { return float64(v.Count) }},
	{"min", func(v graph.Value) float64 { return v.Min }},
	{"max", func(v graph.Value) float64 { return v.Max }},
	{"mean", func(v graph.Value) float64 { return v.Mean }},
	{"nan", func(v graph.Value) float64 { return float64(v.NaN) }},
	{"inf", func(v graph.Value) float64 { return float64(v.Inf) }},
}

var comparisons = map[string]func(a, b float64) bool{
	"<":  func(a, b float64) bool { return a < b },
	"<=": func(a, b float64) bool { return a <= b },
	"==": func(a, b float64) bool { return a == b },
	"!=": func(a, b float64) bool { return a != b },
	">=": func(a, b float64) bool { return a >= b },
	">":  func(a, b float64) bool { return a > b },
}

func (c Condition) String() string {
	return fmt.Sprintf("%s %s %s", c.Quantity, c.Is, strconv.FormatFloat(c.Than, 'g', -1, 64))
}

// check reports what is wrong with a condition.
func (c Condition) check() error {
	if c == (Condition{}) {
		return nil
	}
	var names []string
	for _, q := range quantities {
		names = append(names, q.name)
	}
	switch {
	case !slices.Contains(names, c.Quantity):
		return fmt.Errorf("a condition is about one of %s, not about %q%s", strings.Join(names, ", "), c.Quantity, suggest.Hint(c.Quantity, names))
	case comparisons[c.Is] == nil:
		return fmt.Errorf("a condition compares with <, <=, ==, !=, >= or >, not with %q", c.Is)
	case math.IsNaN(c.Than):
		return errors.New("nothing compares with NaN: use nan > 0")
	}
	return nil
}

// conditional is the end of a breakpoint that has a condition.
var conditional = regexp.MustCompile(`^(.*\S)\s+if\s+(\w+)\s*([<>=!]+)\s*(\S+)$`)

// cutCondition takes the condition off the end of a breakpoint.
func cutCondition(text string) (rest string, c Condition, err error) {
	m := conditional.FindStringSubmatch(text)
	if m == nil {
		return text, c, nil
	}
	c = Condition{Quantity: m[2], Is: m[3]}
	if c.Than, err = strconv.ParseFloat(m[4], 64); err != nil {
		return text, c, fmt.Errorf("the condition %q compares with %q, which is not a number", c.Quantity+" "+c.Is, m[4])
	}
	return m[1], c, nil
}

// holds reports whether the condition holds for an event. It does not hold for an unknown
// value.
func (g *Gate) holds(c Condition, e graph.Event) bool {
	if c == (Condition{}) {
		return true
	}
	is := comparisons[c.Is]
	if c.Quantity == "version" {
		e, ok := e.(*graph.Mutated)
		return ok && is(float64(e.To), c.Than)
	}
	i := slices.IndexFunc(quantities, func(q quantity) bool { return q.name == c.Quantity })
	return slices.ContainsFunc(g.values(e), func(v graph.Value) bool {
		return v.Known() && is(quantities[i].of(v), c.Than)
	})
}

// values returns the values that an event is about: the ones in the event, or the results
// of the operation that it reports.
func (g *Gate) values(e graph.Event) (values []graph.Value) {
	switch e := e.(type) {
	case *graph.OpRan:
		for _, t := range e.Outputs {
			values = append(values, g.results[t])
		}
	case *graph.NameBound:
		values = []graph.Value{g.results[e.Tensor]}
	default:
		values = brought(e)
	}
	return values
}

// brought returns the values of tensors and gradients in an event.
func brought(e graph.Event) []graph.Value {
	switch e := e.(type) {
	case *graph.TensorCreated:
		return []graph.Value{e.Value.Completed()}
	case *graph.Mutated:
		return []graph.Value{e.Value.Completed()}
	case *graph.GradAccumulated:
		return []graph.Value{e.Value.Completed()}
	case *graph.GradArrived:
		return []graph.Value{e.Grad.Value.Completed()}
	case *graph.NodeExecuted:
		values := make([]graph.Value, len(e.Out))
		for i, out := range e.Out {
			values[i] = out.Value.Completed()
		}
		return values
	}
	return nil
}

// remember keeps the values of the tensors that the newest operation made, which are
// announced before it.
func (g *Gate) remember(e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		if g.ran {
			clear(g.results)
			g.ran = false
		}
		v := e.Value.Completed()
		v.First = nil // the event's memory is used again
		g.results[e.Tensor] = v
	case *graph.OpRan:
		g.ran = true
	}
}
