package ui

import "testing"

func TestParametersNameTheModuleThatOwnsThem(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"out", "out", "out"},
		{"model[0]", "model[2]", "model"},
		{"net.l1", "net.l2", "net"},
		{"net.layer", "net.layers", "net"},
		{"net.l1.a", "net.l1", "net.l1"},
		{"a", "b", ""},
		{"encoder", "encode", ""},
	} {
		if got := commonOwner(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
