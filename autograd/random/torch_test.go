package random

import (
	"strings"
	"testing"
)

// program is a sequence of calls on one generator.
type program struct {
	Seed     seed
	Calls    []call
	State    string // hash of torch.get_rng_state() after the calls
	StateOff int64  // of the cached normal value, as in call.Off
}

// TestSamplersDrawWhatPyTorchDraws replays single calls (values.json) and
// sequences that share a generator (programs.json).
func TestSamplersDrawWhatPyTorchDraws(t *testing.T) {
	for _, file := range []struct {
		name  string
		least int
	}{{"values.json", 708}, {"programs.json", 60}} {
		t.Run(strings.TrimSuffix(file.name, ".json"), func(t *testing.T) {
			for i, p := range load[program](t, file.name, file.least) {
				replay(t, i, p)
			}
		})
	}
}

func replay(t *testing.T, number int, p program) {
	t.Helper()
	g := New(uint64(p.Seed))
	for _, c := range p.Calls {
		got, err := draw(g, c)
		if err != nil {
			t.Errorf("%d: seed %d: %v: %v", number, p.Seed, c, err)
			return
		}
		if d := diff(got, c); d != "" {
			t.Errorf("%d: seed %d: %v: %s", number, p.Seed, c, d)
			return
		}
	}
	if s := digest(stateBytesOff(g, p.StateOff)); s != p.State {
		t.Errorf("%d: seed %d: %v: the calls leave state %s, want %s", number, p.Seed, p.Calls, s, p.State)
	}
}

// A column is one sampler with many lengths.
type column struct {
	Seed    seed
	Lengths [3]int // first, last and step
	Call    call
	Hash    string     // of the elements and the state for each length
	Off     [][3]int64 // a length, and what call.Off has; -1 for the state
}

// TestEverySizeDrawsWhatPyTorchDraws compares hashes of elements and generator
// state, for 1 to 70 elements and for some large numbers of elements.
func TestEverySizeDrawsWhatPyTorchDraws(t *testing.T) {
	for _, col := range load[column](t, "sizes.json", 721) {
		var all []byte
		for n := col.Lengths[0]; n <= col.Lengths[1]; n += col.Lengths[2] {
			elements, stateOff := col.off(n)
			c := col.Call
			c.N = n
			g := New(uint64(col.Seed))
			got, err := draw(g, c)
			if err != nil {
				t.Fatalf("seed %d: %v: %v", col.Seed, c, err)
			}
			addErrors(got, elements)
			all = append(append(all, elementBytes(got)...), stateBytesOff(g, stateOff)...)
		}
		if h := digest(all); h != col.Hash {
			t.Errorf("seed %d: %v, %v elements: hash %s, want %s", col.Seed, col.Call, col.Lengths, h, col.Hash)
		}
	}
}

// off returns the entries of one length.
func (col column) off(n int) (elements [][2]int64, state int64) {
	for _, o := range col.Off {
		switch {
		case o[0] != int64(n):
		case o[1] < 0:
			state = o[2]
		default:
			elements = append(elements, [2]int64(o[1:]))
		}
	}
	return elements, state
}

// TestErrorsReadAsInPyTorch compares messages, and checks that a refused call
// draws as little as in PyTorch.
func TestErrorsReadAsInPyTorch(t *testing.T) {
	type failure struct {
		Call  call
		Error string
		State string
	}
	for _, f := range load[failure](t, "errors.json", 141) {
		g := New(0)
		_, err := draw(g, f.Call)
		if err == nil || err.Error() != f.Error {
			t.Errorf("%v: error\n  %v\nwant\n  %s", f.Call, err, f.Error)
		}
		if s := digest(g.State().Bytes()); s != f.State {
			t.Errorf("%v: state %s, want %s", f.Call, s, f.State)
		}
	}
}
