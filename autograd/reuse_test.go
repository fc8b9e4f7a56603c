package autograd

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// Bury makes gradients unusable, instead of reusing their memory, until the
// test ends. Anything that still refers to one gets NaN and an error.
func Bury(t *testing.T) (count *int) {
	count = new(int)
	buried = func(g *Tensor) {
		if *count++; g.refs != -1 {
			t.Errorf("a gradient with %d references was given back", g.refs)
		}
		for i := range g.st.f32 {
			g.st.f32[i] = float32(math.NaN())
		}
		g.err = fail(RuntimeError, CodeInternal, "a gradient was used after the engine had given its memory back")
	}
	t.Cleanup(func() { buried = nil })
	return count
}

func TestOperatorsNeedNoGradientThatIsUsedAgain(t *testing.T) {
	files, err := filepath.Glob("testdata/ops/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, file := range files {
		for _, c := range readVectors(t, file) {
			buried = nil
			warned.Clear()
			want := runVector(c)
			count := Bury(t)
			warned.Clear()
			if got := runVector(c); !slices.Equal(got, want) {
				t.Errorf("%s: %v, otherwise %v", c.ID, got, want)
			}
			total += *count
		}
	}
	warned.Clear()
	if total < 1000 {
		t.Errorf("only %d gradients were given back", total)
	}
}
