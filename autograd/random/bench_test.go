package random

import (
	"slices"
	"testing"
)

// benchmarkFill measures a sampler on slices of 4096 elements; "B/s" counts the
// elements' bytes.
func benchmarkFill[T Element](b *testing.B, fill func(g *Generator, d []T)) {
	g := New(0)
	d := make([]T, 4096)
	size := int64(len(elementBytes(d)))
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		fill(g, d)
	}
}

func BenchmarkUniform32(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float32) { Uniform(g, d, -1, 2) })
}

func BenchmarkUniform64(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float64) { Uniform(g, d, -1, 2) })
}

func BenchmarkNormal32(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float32) { Normal(g, d, 0, 1) })
}

func BenchmarkNormal64(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float64) { Normal(g, d, 0, 1) })
}

func BenchmarkNormalStrided32(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float32) { NormalStrided(g, d, 0, 1) })
}

func BenchmarkRandInt(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []int64) { RandInt(g, d, 0, 10) })
}

func BenchmarkRandPerm(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []int64) { RandPerm(g, d) })
}

func BenchmarkBernoulli32(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float32) { Bernoulli(g, d, 0.3) })
}

func BenchmarkDropout32(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float32) { Dropout(g, d, 0.3) })
}

func BenchmarkExponential32(b *testing.B) {
	benchmarkFill(b, func(g *Generator, d []float32) { Exponential(g, d, 1) })
}

func TestFillsDoNotAllocate(t *testing.T) {
	g := New(0)
	f32, f64 := make([]float32, 100), make([]float64, 100)
	i64, bools := make([]int64, 100), make([]bool, 100)
	halves := slices.Repeat([]float32{0.5}, 100)
	for name, fill := range map[string]func(){
		"Uniform float32":       func() { Uniform(g, f32, -1, 1) },
		"Uniform float64":       func() { Uniform(g, f64, -1, 1) },
		"Normal float32":        func() { Normal(g, f32, 0, 1) },
		"Normal float64":        func() { Normal(g, f64, 0, 1) },
		"NormalStrided float32": func() { NormalStrided(g, f32, 0, 1) },
		"RandInt":               func() { RandInt(g, i64, 0, 10) },
		"RandPerm":              func() { RandPerm(g, i64) },
		"Bernoulli float32":     func() { Bernoulli(g, f32, 0.5) },
		"Bernoulli bool":        func() { Bernoulli(g, bools, 0.5) },
		"BernoulliEach":         func() { BernoulliEach(g, bools, halves) },
		"Dropout":               func() { Dropout(g, f32, 0.5) },
		"Exponential":           func() { Exponential(g, f32, 1) },
		"Geometric":             func() { Geometric(g, i64, 0.5) },
		"Cauchy":                func() { Cauchy(g, f64, 0, 1) },
		"LogNormal":             func() { LogNormal(g, f64, 0, 1) },
	} {
		if n := testing.AllocsPerRun(10, fill); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
