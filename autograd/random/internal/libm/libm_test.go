package libm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	bignum "math/big"
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

// TestFunctionsHaveTheBitsOfGlibc compares hashes of many results. Where glibc
// rounds sine, cosine or tangent wrongly, its error is added first.
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
		Off                 [][2]int64
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 22 {
		t.Fatalf("%d cases, want at least 22", len(cases))
	}
	for _, c := range cases {
		bits := results(functions[c.Function], parse(t, c.Low), parse(t, c.High), c.Count)
		for _, o := range c.Off {
			if o[1] < -1 || o[1] > 1 {
				t.Errorf("%s on [%s, %s]: glibc errs by %d in the last place, want at most 1", c.Function, c.Low, c.High, o[1])
			}
			bits[o[0]] += uint64(o[1])
		}
		for i, want := range c.First {
			if bits[i] != math.Float64bits(parse(t, want)) {
				t.Errorf("%s on [%s, %s]: result %d is %x, want %s", c.Function, c.Low, c.High, i, math.Float64frombits(bits[i]), want)
			}
		}
		raw, err := binary.Append(nil, binary.LittleEndian, bits)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(raw)
		if got := hex.EncodeToString(sum[:8]); got != c.Hash {
			t.Errorf("%s on [%s, %s]: hash %s, want %s", c.Function, c.Low, c.High, got, c.Hash)
		}
	}
}

// results returns the bits of f for count arguments between low and high, the
// same arguments as in tools/record/random/libm.py.
func results(f func(float64) float64, low, high float64, count int) []uint64 {
	random := splitMix(0)
	bits := make([]uint64, count)
	for i := range bits {
		x := low + float64((high-low)*(float64(random.next()>>11)*0x1p-53))
		bits[i] = math.Float64bits(f(x))
	}
	return bits
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
		{"tan", 0, 0}, {"tan", 0x1p-30, 0x1p-30}, {"tan", inf, nan}, {"tan", nan, nan}, {"tan", 1e6, math.Tan(1e6)},
		{"exp", 0, 1}, {"exp", inf, inf}, {"exp", -inf, 0}, {"exp", nan, nan}, {"exp", 710, inf}, {"exp", -1000, 0},
	} {
		if got := functions[c.function](c.x); math.Float64bits(got) != math.Float64bits(c.want) && !(got != got && c.want != c.want) {
			t.Errorf("%s(%v) = %v, want %v", c.function, c.x, got, c.want)
		}
	}
}

// TestTablesHoldWhatTheySay recomputes the tables with high precision.
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

// TestTrigonometryRoundsCorrectlyWhereItIsHard uses numbers next to multiples
// of pi/2, whose leading bits cancel, and numbers next to the bounds.
func TestTrigonometryRoundsCorrectlyWhereItIsHard(t *testing.T) {
	pi := bigPi(t)
	xs := []float64{0x1p-27, math.Nextafter(0x1p-27, 0), math.Nextafter(trigLimit, 0), 1, math.Pi / 4}
	for n := 1; n < 63662; n += 1 + n/8 {
		half := big(float64(n) / 2)
		x, _ := half.Mul(half, pi).Float64()
		xs = append(xs, x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)))
	}
	for _, x := range xs {
		for _, x := range []float64{x, -x} {
			wantSin, wantCos := bigSinCos(x, pi)
			wantTan := new(bignum.Float).Quo(wantSin, wantCos)
			sin, cos := SinCos(x)
			for _, c := range []struct {
				name string
				got  float64
				want *bignum.Float
			}{{"sin", sin, wantSin}, {"cos", cos, wantCos}, {"tan", Tan(x), wantTan}} {
				if want, _ := c.want.Float64(); c.got != want {
					t.Errorf("%s(%x) = %x, want %x", c.name, x, c.got, want)
				}
			}
		}
	}
}

func big(v float64) *bignum.Float { return new(bignum.Float).SetPrec(300).SetFloat64(v) }

func bigPi(t *testing.T) *bignum.Float {
	t.Helper()
	pi, ok := big(0).SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")
	if !ok {
		t.Fatal("pi is not a number")
	}
	return pi
}

// bigSinCos returns the sine and cosine of x with high precision: the sums of
// their series for the remainder of x divided by pi/2.
func bigSinCos(x float64, pi *bignum.Float) (sin, cos *bignum.Float) {
	n := math.Round(x / (math.Pi / 2))
	r := big(n / 2)
	r.Sub(big(x), r.Mul(r, pi))
	sums := [2]*bignum.Float{big(0), big(0)}
	term := big(1)
	for i := range 60 {
		sums[i%2].Add(sums[i%2], term)
		term.Mul(term, r)
		term.Quo(term, big(float64(i+1)))
		if i%2 == 1 {
			term.Neg(term)
		}
	}
	cos, sin = sums[0], sums[1]
	for range int(n) & 3 {
		sin, cos = cos, sin.Neg(sin)
	}
	return sin, cos
}

func BenchmarkSinCos(b *testing.B) {
	x := 0.0
	for b.Loop() {
		x = math.Mod(x+0.1, 6)
		SinCos(x)
	}
}
