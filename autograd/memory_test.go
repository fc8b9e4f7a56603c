package autograd_test

import (
	"errors"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
)

// TestTooMuchMemoryIsAnError requests tensors that are too large for any
// machine. The texts are from PyTorch 2.6.
func TestTooMuchMemoryIsAnError(t *testing.T) {
	const huge = 1 << 40
	refused := func(bytes string) string {
		return "[enforce fail at alloc_cpu.cpp:118] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate " + bytes + " bytes. Error code 12 (Cannot allocate memory)"
	}
	one := Ones([]int{1})
	for _, c := range []struct {
		function string
		args     []any
		want     string
	}{
		{"torch.zeros", []any{huge}, refused("4398046511104")},
		{"torch.zeros", []any{1 << 60}, refused("4611686018427387904")},
		{"torch.zeros", []any{1 << 61}, "Storage size calculation overflowed with sizes=[2305843009213693952]"},
		{"torch.zeros", []any{huge, huge}, "Storage size calculation overflowed with sizes=[1099511627776, 1099511627776]"},
		{"torch.zeros", []any{huge, huge, 0}, "Storage size calculation overflowed with sizes=[1099511627776, 1099511627776, 0]"},
		{"torch.zeros", []any{huge, 0}, ""},
		{"torch.full", []any{Tuple{huge}, 1.0}, refused("4398046511104")},
		{"torch.arange", []any{huge}, refused("8796093022208")},
		{"torch.arange", []any{0, 1e30}, "invalid size, possible overflow?"},
		{"torch.linspace", []any{0, 1, huge}, refused("4398046511104")},
		{"torch.eye", []any{1 << 30}, refused("4611686018427387904")},
		{"torch.randperm", []any{huge}, refused("8796093022208")},
		{"torch.rand", []any{huge}, refused("4398046511104")},
		{"torch.broadcast_to", []any{one, Tuple{huge}}, ""},
		{"torch.broadcast_to", []any{one, Tuple{huge, huge}}, "numel: integer multiplication overflow"},
		{"torch.clone", []any{one.Expand([]int{huge})}, refused("4398046511104")},
		{"torch.add", []any{one.Expand([]int{huge}), 1}, refused("4398046511104")},
		{"torch.tile", []any{one, Tuple{huge}}, refused("4398046511104")},
		{"torch.nn.functional.pad", []any{one, Tuple{0, huge}}, refused("4398046511108")},
		{"torch.copy.deepcopy", []any{one.Expand([]int{huge})}, refused("4398046511104")},
		{"torch.combinations", []any{Arange(5), huge}, "std::bad_alloc"},
		{"torch.unbind", []any{one.Expand([]int{huge})}, "std::bad_alloc"},
		{"torch.bincount", []any{New([]int{huge})}, refused("8796093022216")},
		{"torch.histc", []any{one, huge}, refused("4398046511108")},
		{"torch.nn.functional.one_hot", []any{New(huge)}, refused("8796093022216")},
		{"torch.diag_embed", []any{one, huge}, "Storage size calculation overflowed with sizes=[1099511627777, 1099511627777]"},
		{"torch.tril_indices", []any{1 << 30, 1 << 30}, "Storage size calculation overflowed with sizes=[2, 576460752840294400]"},
		{"torch.vander", []any{one, huge}, refused("4398046511104")},
		{"torch.empty_strided", []any{Tuple{2}, Tuple{1 << 62}}, "Storage size calculation overflowed with sizes=[2] and strides=[4611686018427387904]"},
	} {
		text := ""
		_, err := CallFunction(c.function, c.args)
		if e := new(Error); errors.As(err, &e) {
			text = e.Text
		}
		if text != c.want {
			t.Errorf("%s(%v)\n got %q\nwant %q", c.function, c.args[len(c.args)-1], text, c.want)
		}
	}
}
