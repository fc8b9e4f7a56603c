package libm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strconv"
	"testing"
)

var functions = map[string]func(float64) float64{
	"log":   Log,
	"log1p": Log1p,
	"sin":   func(x float64) float64 { sin, _ := SinCos(x); return sin },
	"cos":   func(x float64) float64 { _, cos := SinCos(x); return cos },
	"tan":   Tan,
	"exp":   Exp,
}

func TestFunctionsHaveTheBitsOfGlibc(t *testing.T) {
	b, err := os.ReadFile("testdata/glibc.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Function, Low, High string
		Count               int
		First               []string
		Hash                string
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 22 {
		t.Fatalf("%d cases, want at least 22", len(cases))
	}
	for _, c := range cases {
		f := functions[c.Function]
		low, high := parse(t, c.Low), parse(t, c.High)
		random := splitMix(0)
		hash := sha256.New()
		var raw [8]byte
		for i := range c.Count {
			x := low + float64((high-low)*(float64(random.next()>>11)*0x1p-53))
			y := f(x)
			if i < len(c.First) && math.Float64bits(y) != math.Float64bits(parse(t, c.First[i])) {
				t.Errorf("%s(%x) = %x, want %s", c.Function, x, y, c.First[i])
			}
			binary.LittleEndian.PutUint64(raw[:], math.Float64bits(y))
			hash.Write(raw[:])
		}
		if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != c.Hash {
			t.Errorf("%s on [%s, %s]: hash %s, want %s", c.Function, c.Low, c.High, got, c.Hash)
		}
	}
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// splitMix is the SplitMix64 sequence.
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func TestBoundsOfTheRanges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		function string
		x, want  float64
	}{
		{"log", 0, -inf}, {"log", 1, 0}, {"log", -1, nan}, {"log", nan, nan}, {"log", inf, inf}, {"log", 2, math.Ln2},
		{"log", 0x1p-1074, math.Log(0x1p-1074)},
		{"log1p", 0, 0}, {"log1p", math.Copysign(0, -1), math.Copysign(0, -1)}, {"log1p", -1, -inf}, {"log1p", -2, nan},
		{"log1p", nan, nan}, {"log1p", inf, inf}, {"log1p", -0x1p-60, -0x1p-60},
		{"sin", 0, 0}, {"cos", 0, 1}, {"sin", inf, nan}, {"cos", nan, nan}, {"sin", 1e300, math.Sin(1e300)},
		{"tan", 0, 0}, {"tan", 0x1p-30, 0x1p-30}, {"tan", inf, nan}, {"tan", nan, nan}, {"tan", 100, math.Tan(100)},
		{"exp", 0, 1}, {"exp", inf, inf}, {"exp", -inf, 0}, {"exp", nan, nan}, {"exp", 710, inf}, {"exp", -1000, 0},
	} {
		if got := functions[c.function](c.x); math.Float64bits(got) != math.Float64bits(c.want) && !(got != got && c.want != c.want) {
			t.Errorf("%s(%v) = %v, want %v", c.function, c.x, got, c.want)
		}
	}
}

// TestTablesHoldWhatTheySay recomputes the tables with many bits.
func TestTablesHoldWhatTheySay(t *testing.T) {
	for i, row := range logTable {
		if d := math.Abs(math.Log(row[0]) + row[1]); d > 0x1p-52 {
			t.Errorf("log %d: log(1/c) + log(c) = %g", i, d)
		}
	}
	for i, row := range expTable {
		h := math.Float64frombits(row[1] + uint64(i)<<45)
		tail := math.Float64frombits(row[0])
		if want := math.Exp2(float64(i) / 128); math.Abs(h-want) > 0x1p-52 || math.Abs(tail) > 0x1p-53 {
			t.Errorf("exp %d: %v and %g, want %v", i, h, tail, want)
		}
	}
}

// checkParts reports parts whose sum is not v to 100 bits or so.
func checkParts(t *testing.T, name string, k int, high, low float64, v *big.Float) {
	t.Helper()
	rest := new(big.Float).Sub(v, big.NewFloat(high))
	want, _ := rest.Float64()
	if math.Abs(low-want) > 0x1p-105 {
		t.Errorf("%s %d: %v and %g, want a remainder of %g", name, k, high, low, want)
	}
}

// bigSinCos sums the series of sine and cosine with 200 bits.
func bigSinCos(x float64) (sin, cos *big.Float) {
	const precision = 200
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }
	sums := [2]*big.Float{number(0), number(0)}
	term := number(1)
	for n := 0; n < 60; n++ {
		sums[n%2].Add(sums[n%2], term)
		term.Mul(term, number(x))
		term.Quo(term, number(float64(n+1)))
		if n%2 == 1 {
			term.Neg(term)
		}
	}
	return sums[1], sums[0]
}

func BenchmarkSinCos(b *testing.B) {
	x := 0.0
	for b.Loop() {
		x = math.Mod(x+0.1, 6)
		SinCos(x)
	}
}
