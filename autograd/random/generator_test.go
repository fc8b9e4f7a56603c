package random

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

func TestSeedForgetsTheCachedNormal(t *testing.T) {
	g := New(5)
	one := make([]float32, 1)
	if err := Normal(g, one, 0, 1); err != nil {
		t.Fatal(err)
	}
	g.Seed(5)
	if g.State() != New(5).State() {
		t.Error("a reseeded generator differs from a new one")
	}
}

func TestInitialSeedKeepsAllBits(t *testing.T) {
	for _, seed := range []uint64{0, 42, math.MaxUint64, 1<<63 + 7} {
		if got := New(seed).InitialSeed(); got != seed {
			t.Errorf("InitialSeed() = %d, want %d", got, seed)
		}
	}
	if a, b := New(5), New(1<<32+5); a.Uint32() != b.Uint32() {
		t.Error("seeds with equal low halves give different words")
	}
}

func TestScalarDrawsFollowTheWords(t *testing.T) {
	words := New(9)
	w := make([]uint32, 2000)
	for i := range w {
		w[i] = words.Uint32()
	}
	g := New(9)
	for i := 0; i+6 <= len(w); i += 6 {
		if got, want := g.Uint64(), uint64(w[i])<<32|uint64(w[i+1]); got != want {
			t.Fatalf("Uint64 at word %d is %#x, want %#x", i, got, want)
		}
		if got, want := g.Uniform32(), float32(w[i+2]&0xffffff)/(1<<24); got != want {
			t.Fatalf("Uniform32 at word %d is %v, want %v", i, got, want)
		}
		if got, want := g.Uniform64(), float64((uint64(w[i+3])<<32|uint64(w[i+4]))&(1<<53-1))/(1<<53); got != want {
			t.Fatalf("Uniform64 at word %d is %v, want %v", i, got, want)
		}
		g.Uint32()
	}
}

// disturb draws in a way that depends on every byte of plan.
func disturb(g *Generator, plan []byte) {
	for _, b := range plan {
		d := make([]float32, b>>2)
		switch b & 3 {
		case 0:
			g.Uint32()
		case 1:
			fillUnit(g, d)
		case 2:
			Normal(g, d, 0, 1)
		case 3:
			NormalStrided(g, d, 0, 1)
		}
	}
}

// FuzzStateContinuesTheSequence takes the state in the middle of a run, as a
// value and as bytes, and compares how the run continues.
func FuzzStateContinuesTheSequence(f *testing.F) {
	f.Add(uint64(0), []byte{}, []byte{0})
	f.Add(uint64(1), []byte{7}, []byte{7, 66, 0})
	f.Add(uint64(math.MaxUint64), []byte{255, 253, 251}, []byte{255, 254, 253})
	f.Add(uint64(3), bytes.Repeat([]byte{0}, stateWords), []byte{0, 1, 2, 3})
	f.Fuzz(func(t *testing.T, seed uint64, before, after []byte) {
		g := New(seed)
		disturb(g, before)
		s := g.State()
		parsed, err := ParseState(s.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if parsed != s {
			t.Error("the state read back from its bytes differs")
		}
		disturb(g, after)
		for _, s := range []State{s, parsed} {
			h := New(seed + 1)
			if err := h.SetState(s); err != nil {
				t.Fatal(err)
			}
			disturb(h, after)
			if h.State() != g.State() || h.InitialSeed() != seed {
				t.Error("a generator set to the state continues differently")
			}
		}
	})
}

// FuzzParseState checks that accepted bytes make a usable state.
func FuzzParseState(f *testing.F) {
	b := New(0).State().Bytes()
	f.Add(b)
	g := New(7)
	disturb(g, []byte{7, 255})
	f.Add(g.State().Bytes())
	f.Add(b[:stateBytes-1])
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseState(b)
		if err != nil {
			return
		}
		var g Generator
		if err := g.SetState(s); err != nil {
			return
		}
		disturb(&g, []byte{255, 254, 253, 0})
	})
}

func TestParseStateRefusesWhatPyTorchNeverWrites(t *testing.T) {
	for _, c := range []struct {
		name    string
		spoil   func(b []byte) []byte
		message string
	}{
		{"short", func(b []byte) []byte { return b[:3] }, "Expected either a CPUGeneratorImplStateLegacy of size 5048 or a CPUGeneratorImplState of size 5056 but found the input RNG state size to be 3"},
		{"legacy", func(b []byte) []byte { return b[:legacyStateBytes] }, "random: the 5048-byte generator state of older PyTorch is not supported"},
		{"all zero", func(b []byte) []byte { return make([]byte, stateBytes) }, "Invalid mt19937 state"},
		{"word too large", func(b []byte) []byte { b[wordsAt+5] = 1; return b }, "Invalid mt19937 state"},
		{"next too large", func(b []byte) []byte { b[nextAt+2] = 1; return b }, "Invalid mt19937 state"},
		{"left without next", func(b []byte) []byte { b[leftAt] = 2; return b }, "Invalid mt19937 state"},
		{"unseeded", func(b []byte) []byte { b[seededAt] = 0; return b }, "Invalid mt19937 state"},
	} {
		_, err := ParseState(c.spoil(New(1).State().Bytes()))
		if err == nil || err.Error() != c.message {
			t.Errorf("%s: error %v, want %s", c.name, err, c.message)
		}
	}
	g := New(1)
	if err := g.SetState(State{}); err == nil {
		t.Error("the zero State was accepted")
	}
	if g.State() != New(1).State() {
		t.Error("a refused State changed the generator")
	}
}

func TestLengthsThatDoNotGoTogetherAreErrors(t *testing.T) {
	g := New(0)
	if err := BernoulliEach(g, make([]bool, 2), make([]float32, 3)); err == nil {
		t.Error("BernoulliEach took 3 probabilities for 2 elements")
	}
	if err := Multinomial(g, make([]int64, 3), make([]float32, 4), 4, 2, true); err == nil {
		t.Error("Multinomial took 3 results for 2 samples")
	}
	if err := Multinomial(g, make([]int64, 2), make([]float32, 5), 4, 2, true); err == nil {
		t.Error("Multinomial took 5 weights for 4 categories")
	}
	if err := Multinomial(g, make([]int64, 1), make([]float32, 1<<24+1), 1<<24+1, 1, true); err == nil {
		t.Error("Multinomial took more than 2^24 categories")
	}
	if err := Multinomial(g, nil, []float32{}, 4, 2, true); err != nil {
		t.Errorf("Multinomial without rows: %v", err)
	}
	if g.State() != New(0).State() {
		t.Error("refused calls drew numbers")
	}
}

func TestGeometricBeyondInt64IsTheSmallestInt64(t *testing.T) {
	if got := fromFloat[int64](math.Inf(1)); got != math.MinInt64 {
		t.Errorf("int64 of infinity is %d", got)
	}
	if got := fromFloat[int64](1 << 62); got != 1<<62 {
		t.Errorf("int64 of 2^62 is %d", got)
	}
	if got := fromFloat[float32](math.Inf(1)); !math.IsInf(float64(got), 1) {
		t.Errorf("float32 of infinity is %v", got)
	}
}

// PyTorch uses the inside-out shuffle only for more elements than a test can
// hold, so only its properties are checked here.
func TestInsideOutShuffleTakesTwoWordsForEachElement(t *testing.T) {
	g := New(3)
	d := make([]int64, 1000)
	insideOut(g, d)
	for i, v := range slices.Sorted(slices.Values(d)) {
		if v != int64(i) {
			t.Fatalf("element %d of the sorted permutation is %d", i, v)
		}
	}
	want := New(3)
	for range 2 * len(d) {
		want.Uint32()
	}
	if g.State() != want.State() {
		t.Error("the shuffle did not take two words for each element")
	}
}
