package graph_test

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

func TestAmountsGoByNamesAndTheirPartsBetweenDots(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"fc1.weight", "fc1.weight", true},
		{"fc1.weight", "model.fc1.weight", true},
		{"fc1.weight", "model.fc1.weight.grad", true},
		{"fc1.weight", "model.fc10.weight", false},
		{"fc1.weight", "xfc1.weight", false},
		{"fc1", "model.fc1.bias", true},
		{"weight", "model.fc1.weight", true},
		{"encoder.*", "model.encoder.layers.0", true},
		{"encoder.*", "encoder", false},
		{"encoder", "encoder.layers.0", true},
		{"layers.0", "model.layers[0].weight", true},
		{"layers[0]", "encoder.layers.0", true},
		{"layers[0]", "encoder.layers.01", false},
		{"params.w", "params['w']", true},
		{"h?", "h1", true},
		{"h?", "h", false},
		{"a+b", "aab", false},
		{"*", "", false}, // nothing has no name
		{"*", "x", true},
	} {
		got := graph.NewAmounts([]graph.Amount{{Pattern: c.pattern, Elements: 9}}).Rule(c.name) == 0
		if got != c.want {
			t.Errorf("%s matches %q: %v", c.pattern, c.name, got)
		}
	}
}

func TestTheFirstAmountThatMatchesCounts(t *testing.T) {
	a := graph.NewAmounts([]graph.Amount{{"weight", 100}, {"fc1", 8}, {"y", 50}})
	for _, c := range []struct {
		names []string
		want  int
	}{
		{[]string{"model.fc1.weight"}, 0},
		{[]string{"model.fc1.bias"}, 1},
		{[]string{"y", "fc1"}, 1}, // the result of fc1 that is assigned to y
		{[]string{"z"}, -1},
		{nil, -1},
	} {
		if got := a.Rule(c.names...); got != c.want {
			t.Errorf("%v: rule %d, want %d", c.names, got, c.want)
		}
	}
}
