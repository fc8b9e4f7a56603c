package query

import "testing"

func TestAMeasureIsAQuantityOfOneTensor(t *testing.T) {
	for _, c := range []struct {
		text, tensor, quantity string
		grad                   bool
	}{
		{"norm(w)", "w", "norm", false},
		{"w.norm", "w", "norm", false},
		{"w.norm()", "w", "norm", false},
		{"norm(grad(fc1.weight))", "fc1.weight", "norm", true},
		{"fc1.weight.grad.max()", "fc1.weight", "max", true},
		{"layers[0].weight.mean", "layers[0].weight", "mean", false},
		{"w + 1", "", "", false},
		{"w.norm(2)", "", "", false},
		{"w.sum()", "", "", false},
		{"w", "", "", false},
		{"w.", "", "", false},
		{"norm()", "", "", false},
	} {
		m, ok := ParseMeasure(c.text)
		if ok != (c.tensor != "") || m.Tensor != c.tensor && ok || m.of.name != c.quantity && ok || m.Grad != c.grad && ok {
			t.Errorf("%s: %s of %s, grad %v, %v", c.text, m.of.name, m.Tensor, m.Grad, ok)
		}
	}
}
