package random

import (
	"math"
	"math/big"
	"testing"
)

// exactFMA computes x*y + z without rounding and rounds once.
func exactFMA(x, y, z float32) float32 {
	exact := func(v float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(v)) }
	p := exact(x)
	p.Mul(p, exact(y))
	p.Add(p, exact(z))
	v, _ := p.Float32()
	return v
}

func TestFusedMultiplyAddRoundsOnce(t *testing.T) {
	type operands struct{ x, y, z float32 }
	const ulp = 0x1p-23
	cases := []operands{
		{1, 0x1p-24, 1}, {3, 0x1p-24, 1}, {-3, 0x1p-24, 1}, // exact ties
		{0x1p-100, 0x1.8p-50, 0x1p-149}, {0x1.000002p-75, 0x1p-75, 0}, {0x1.fffffep-76, 0x1p-75, 0x1p-126},
		{0, 1, 0}, {1, 1, -1}, {-1, 0, 0},
		{math.MaxFloat32, 2, 0}, {math.MaxFloat32, 1, 0x1p103}, {math.MaxFloat32, 1, 0x1.fffffep102},
		{math.MaxFloat32, math.MaxFloat32, -1}, {math.MaxFloat32, -math.MaxFloat32, 1},
	}
	// Sums next to the middle between two float32, closer than float64 can
	// distinguish: z plus half of its last bit times 1 + 2^-36, 1 - 2^-40 and 1
	// + 0.763*2^-30.
	const a, b = 0x1p-12, 0x1p-20
	for _, nearOne := range [][2]float32{
		{1 + a, 1 - a + a*a}, {1 + b, 1 - b}, {1 + 2036*ulp, 1 - 4071*ulp/2},
	} {
		for i := range 8 {
			for _, sign := range []float32{1, -1} {
				x, y := sign*nearOne[0], nearOne[1]
				z := 1 + float32(i)*ulp
				cases = append(cases, operands{x * 0x1p-24, y, z}, operands{x * 0x1p-24, y, -z})
				z = float32(1<<22+i) * 0x1p-149 // subnormal
				cases = append(cases, operands{x * 0x1p-75, y * 0x1p-75, z}, operands{x * 0x1p-75, y * 0x1p-75, -z})
			}
		}
	}
	g := New(1)
	random := func() float32 { // any finite float32
		return math.Float32frombits(g.Uint32()&^(1<<30) | g.Uint32()&(1<<29))
	}
	for range 100_000 {
		x, y := random(), random()
		cases = append(cases, operands{x, y, random()}, operands{x, y, -x * y})
		cases = append(cases, operands{g.Uniform32() * 0x1p-24, g.Uniform32(), 1 + g.Uniform32()})
	}
	for _, c := range cases {
		if math.IsInf(float64(c.z), 0) {
			continue
		}
		got, want := fma32(c.x, c.y, c.z), exactFMA(c.x, c.y, c.z)
		if got != want {
			t.Fatalf("fma32(%x, %x, %x) = %x, want %x", c.x, c.y, c.z, got, want)
		}
		if math.Abs(float64(want)) > smallestNormal {
			if got := add32(mul(c.x, c.y), float64(c.z)); got != want {
				t.Fatalf("add32(mul(%x, %x), %x) = %x, want %x", c.x, c.y, c.z, got, want)
			}
		}
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	if got := fma32(inf, 1, 0); got != inf {
		t.Errorf("fma32(inf, 1, 0) = %v", got)
	}
	for _, c := range []operands{{inf, 1, -inf}, {nan, 1, 1}, {inf, 0, 0}} {
		if got := fma32(c.x, c.y, c.z); got == got {
			t.Errorf("fma32(%v, %v, %v) = %v, want NaN", c.x, c.y, c.z, got)
		}
	}
}

// TestPolynomialsApproximateTheirFunctions checks the whole range of arguments:
// a sample of the uniform float32s that a sampler can pass.
func TestPolynomialsApproximateTheirFunctions(t *testing.T) {
	for i := 1; i <= 1<<24; i += 61 {
		u := float32(i) * 0x1p-24
		if got, want := log32(u), math.Log(float64(u)); math.Abs(float64(got)-want) > 2e-6 {
			t.Fatalf("log32(%v) = %v, want %v", u, got, want)
		}
		x := float32(2*math.Pi) * (u - 0x1p-24)
		sin, cos := sinCos32(x)
		wantSin, wantCos := math.Sincos(float64(x))
		if math.Abs(float64(sin)-wantSin) > 1e-6 || math.Abs(float64(cos)-wantCos) > 1e-6 {
			t.Fatalf("sinCos32(%v) = %v, %v, want %v, %v", x, sin, cos, wantSin, wantCos)
		}
	}
}
