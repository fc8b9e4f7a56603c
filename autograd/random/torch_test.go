package random

import (
	"strings"
	"testing"
)

// program is a sequence of calls on one generator.
type program struct {
	Seed  seed
	Calls []call
	State string // hash of torch.get_rng_state() after the calls
}

// TestSamplersDrawWhatPyTorchDraws replays single calls (values.json) and
// sequences that share a generator (programs.json).
func TestSamplersDrawWhatPyTorchDraws(t *testing.T) {
	for _, file := range []struct {
		name  string
		least int
	}{{"values.json", 2320}, {"programs.json", 60}} {
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
	if s := digest(g.State().Bytes()); s != p.State {
		t.Errorf("%d: seed %d: %v: the calls leave state %s, want %s", number, p.Seed, p.Calls, s, p.State)
	}
}

// TestEverySizeDrawsWhatPyTorchDraws compares hashes of elements and generator
// state, for 1 to 70 elements and some large numbers of them.
func TestEverySizeDrawsWhatPyTorchDraws(t *testing.T) {
	type column struct {
		Seed   seed
		First  int
		Call   call
		Hashes []string
	}
	compared := 0
	for _, col := range load[column](t, "sizes.json", 495) {
		for i, want := range col.Hashes {
			c := col.Call
			c.N = col.First + i
			g := New(uint64(col.Seed))
			got, err := draw(g, c)
			if err != nil {
				t.Fatalf("seed %d: %v: %v", col.Seed, c, err)
			}
			if h := digest(append(elementBytes(got), g.State().Bytes()...)); h != want {
				t.Errorf("seed %d: %v: hash %s, want %s", col.Seed, c, h, want)
				break
			}
			compared++
		}
	}
	if compared < 22230 && !t.Failed() {
		t.Errorf("compared %d hashes, want at least 22230", compared)
	}
}

// TestErrorsReadAsInPyTorch compares messages, and that a refused call draws as
// little as in PyTorch.
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
