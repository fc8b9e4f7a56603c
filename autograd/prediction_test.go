package autograd

import "testing"

// The overload is not known before the call.
func TestOverloadsOfAnOperatorArePredictedAlike(t *testing.T) {
	found := 0
	for name, f := range operators {
		for _, o := range f.ops {
			switch r := o.schema.Returns; {
			case len(r) != 1 || r[0] != "Tensor" && r[0] != "bool":
				if o.Predicted != NotPredicted {
					t.Errorf("%s is predicted, but returns %v", o.Schema, r)
				}
			case o.Predicted != f.predicted():
				t.Errorf("%s of %s is predicted as %d, another overload as %d", o.Schema, name, o.Predicted, f.predicted())
			case o.Predicted != NotPredicted:
				found++
			}
		}
	}
	if found < 200 {
		t.Errorf("only %d overloads are predicted", found)
	}
}
