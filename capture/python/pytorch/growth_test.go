package pytorch

import (
	"runtime"
	"testing"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// TestATranslatorKeepsWhatLives sends the records of a training loop: a parameter that
// lives, and in each iteration results that die, nodes, a view, a backward pass and a
// gradient that takes the place of the one before. What a translator holds, the tape apart,
// does not grow.
func TestATranslatorKeepsWhatLives(t *testing.T) {
	tape := graph.NewTape(graph.Limits{Events: 1000}) // which takes no more events after these
	tr := NewTranslator(tape)
	send := func(records ...any) {
		t.Helper()
		if _, err := tr.Frame(marshal.Append(nil, records)); err != nil {
			t.Fatal(err)
		}
	}
	type tuple = marshal.Tuple
	operand := tuple{"", tuple{"t", 0}}
	made := func(meta, share, view int) tuple { return tuple{tuple{"new", meta, share, 0, 0, 0, view, 0}} }
	node := func(name string, saved ...any) tuple {
		return tuple{tuple{name, 0, 1, tuple{tuple{0, 0, 0}}, tuple(saved), tuple{}, 0}}
	}
	send(
		tuple{"stack", 1, 0, "prog.py", "<module>", 1, 1, 1, 9},
		tuple{"meta", 0, "float32", tuple{}, nil, "cpu", 4},
		tuple{"meta", 1, "float32", tuple{2}, nil, "cpu", 4},
		tuple{"signature", 0, "exp", tuple{operand}, made(1, -1, 0), node("ExpBackward0", tuple{"result", 1, 0}), tuple{}, 0},
		tuple{"signature", 1, "slice", tuple{operand}, made(1, 0, 1), node("SliceBackward0"), tuple{}, 0},
		tuple{"signature", 2, "sum", tuple{operand}, made(0, -1, 0), node("SumBackward0", tuple{"hidden", 2, 1}), tuple{}, 0},
		tuple{"tensor", 1, 1, 1, 1, 1001, 0, 0, nil, 0, 0, nil},
	)
	number, sequence, gradient := 1, -1, 0
	next := func() int { number++; return number }
	result := func(signature, of int) (record any, n int) {
		sequence++
		n = next()
		return tuple{signature, 1, sequence, tuple{of}, tuple{n}, nil, nil, nil}, n
	}
	iterate := func(pass int) {
		exp, y := result(0, 1)
		slice, v := result(1, y)
		sum, loss := result(2, v)
		old := gradient
		gradient = next()
		send(
			exp, slice, sum, y,
			tuple{"nodes", tuple{tuple{"Unseen", 1_000_000 + pass, 1, tuple{tuple{4, 1, 0}}, tuple{}, tuple{}, 0}}},
			tuple{"backward", pass, 1, 0, tuple{tuple{loss, 0, nil}}, tuple{}},
			tuple{"tensor", gradient, 1, 1, 32, 2000 + pass, 0, 0, nil, 0, 0, nil},
			tuple{"accumulated", pass, 1, gradient, 1, nil},
			tuple{"ended", pass, 1},
			tuple{"bind", loss, "loss", ""},
			v, loss, old,
		)
	}
	held := func() (entries int, bytes uint64) {
		tr.sweep()
		entries = len(tr.tensors.known) + len(tr.tensors.storages) + len(tr.nodes.known) + len(tr.passes.running) + len(tr.layouts) + len(tr.signatures)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return entries, m.HeapAlloc
	}
	var entries [2]int
	var bytes [2]uint64
	for pass := 1; pass <= 6000; pass++ {
		if iterate(pass); len(tr.nodes.known) > 2*minSweep {
			t.Fatalf("%d nodes are known after %d iterations", len(tr.nodes.known), pass)
		}
		switch pass {
		case 3000:
			entries[0], bytes[0] = held()
		case 6000:
			entries[1], bytes[1] = held()
		}
	}
	if entries[0] != entries[1] {
		t.Errorf("%d entries in maps after 3000 iterations, %d after 6000", entries[0], entries[1])
	}
	if grown := int64(bytes[1]) - int64(bytes[0]); grown > 64<<10 { // 20 bytes for each iteration
		t.Errorf("%d bytes more after 3000 iterations more", grown)
	}
	runtime.KeepAlive(tr)
}
