package schema

import (
	"reflect"
	"testing"
)

func TestParseReadsEveryPartOfASignature(t *testing.T) {
	got, err := Parse("max.dim(Tensor self, int[2]? dim=None, bool keepdim=False, *, Scalar alpha=1, float eps=1e-05, str mode='none', int[2] stride=[1, 2], float[2] betas=[0.9, 1], int reduction=Mean) -> (Tensor values, Tensor indices)")
	if err != nil {
		t.Fatal(err)
	}
	want := &Schema{
		Name: "max", Overload: "dim",
		Params: []Param{
			{Name: "self", Type: Tensor},
			{Name: "dim", Type: Int, List: true, Size: 2, Optional: true, HasDefault: true},
			{Name: "keepdim", Type: Bool, HasDefault: true, Default: false},
			{Name: "alpha", Type: Scalar, KwOnly: true, HasDefault: true, Default: int64(1)},
			{Name: "eps", Type: Float, KwOnly: true, HasDefault: true, Default: 1e-5},
			{Name: "mode", Type: Str, KwOnly: true, HasDefault: true, Default: "none"},
			{Name: "stride", Type: Int, List: true, Size: 2, KwOnly: true, HasDefault: true, Default: []int64{1, 2}},
			{Name: "betas", Type: Float, List: true, Size: 2, KwOnly: true, HasDefault: true, Default: []float64{0.9, 1}},
			{Name: "reduction", Type: Int, KwOnly: true, HasDefault: true, Default: int64(1)},
		},
		Returns: []string{"Tensor", "Tensor"}, Fields: []string{"values", "indices"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseRejectsWhatIsNoSignature(t *testing.T) {
	for _, text := range []string{"", "add", "add(Tensor self)", "add(self) -> Tensor", "add(Foo x) -> Tensor", "add(int x=abc) -> Tensor", "add(int[x] y) -> Tensor"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
