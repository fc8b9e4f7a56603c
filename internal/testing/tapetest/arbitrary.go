package tapetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
)

type drawn struct{ t *rapid.T }

func (d drawn) Choose(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

// Random makes choices from a seeded generator.
type Random struct{ *rand.Rand }

// NewRandom returns the choices that belong to a seed.
func NewRandom(seed uint64) Random { return Random{rand.New(rand.NewPCG(seed, 1))} }

// Choose returns a number in [0, n).
func (r Random) Choose(n int) int { return r.IntN(n) }

// WellFormed draws a tape that one or two threads of an engine recorded.
func WellFormed(t *rapid.T) *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	e := NewEngine(tape)
	threads := []*Thread{e.NewThread(0, drawn{t}), e.NewThread(7, drawn{t})}
	for range rapid.IntRange(0, 40).Draw(t, "steps") {
		threads[rapid.IntRange(0, 3).Draw(t, "thread")/3].Step()
	}
	return tape
}

// Recorded returns a tape of at least n events that belongs to a seed.
func Recorded(seed uint64, n int) *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	e := NewEngine(tape)
	threads := []*Thread{e.NewThread(0, NewRandom(seed)), e.NewThread(1, NewRandom(seed+1))}
	for i := 0; tape.Len() < graph.Pos(n); i++ {
		threads[i%3/2].Step()
	}
	return tape
}

// Hostile draws a tape with arbitrary events, known and unknown ones, between
// an engine's.
func Hostile(t *rapid.T) *graph.Tape {
	tape := WellFormed(t)
	for range rapid.IntRange(0, 5).Draw(t, "strings") {
		tape.InternString(rapid.String().Draw(t, "string"))
	}
	for range rapid.IntRange(0, 30).Draw(t, "events") {
		tape.Append(Header(t), Event(t, true))
	}
	return tape
}

// Header draws a header.
func Header(t *rapid.T) graph.Header {
	return graph.Header{
		Thread: graph.ThreadID(number(t, 32)),
		Stack:  graph.StackID(number(t, 32)),
		Time:   time.Duration(rapid.Int64Range(-1, math.MaxInt64).Draw(t, "time") >> rapid.IntRange(0, 62).Draw(t, "shift")),
	}
}

// Event draws an event of any kind. A hostile one has arbitrary field values, the
// others only values that recording does not change.
func Event(t *rapid.T, hostile bool) graph.Event {
	last := len(graph.Kinds) - 1
	if hostile {
		last += 3
	}
	kind := graph.Kind(rapid.IntRange(1, last).Draw(t, "kind"))
	e := kind.New()
	if e == nil {
		return &graph.Unknown{Code: kind, Raw: rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "raw")}
	}
	Fill(t, e, hostile)
	return e
}

// Fill draws values for all fields of an event.
func Fill(t *rapid.T, e graph.Event, hostile bool) {
	fill(t, reflect.ValueOf(e).Elem(), hostile)
}

func fill(t *rapid.T, v reflect.Value, hostile bool) {
	if !hostile {
		switch p := v.Addr().Interface().(type) {
		case *graph.Value:
			*p = value(t)
			return
		case *graph.Attr:
			*p = attr(t)
			return
		case *graph.StringID:
			*p = graph.StringID(rapid.IntRange(0, 3).Draw(t, "string"))
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), hostile)
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), hostile)
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(string(rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "text")))
	case reflect.Float64:
		v.SetFloat(real(t))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(number(t, v.Type().Bits()))
	default:
		panic(fmt.Sprintf("tapetest: field of type %s", v.Type()))
	}
}

// number draws an unsigned number of at most the given bits, mostly a small one:
// an identifier that exists.
func number(t *rapid.T, bits int) uint64 {
	if rapid.IntRange(0, 3).Draw(t, "small") > 0 {
		return uint64(rapid.IntRange(0, 12).Draw(t, "number"))
	}
	return rapid.Uint64().Draw(t, "number") >> (64 - bits)
}

func real(t *rapid.T) float64 {
	switch rapid.IntRange(0, 5).Draw(t, "special") {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(rapid.IntRange(-1, 1).Draw(t, "sign"))
	}
	return rapid.Float64().Draw(t, "real")
}

// value draws a summary that survives recording: its elements have the precision
// of its type.
func value(t *rapid.T) graph.Value {
	dtype := graph.DType(rapid.IntRange(0, int(graph.OtherDType)).Draw(t, "dtype"))
	if dtype == graph.NoDType {
		return graph.Value{}
	}
	element := func() float64 {
		switch {
		case dtype.IsInteger() || dtype == graph.Bool:
			return float64(rapid.Int32().Draw(t, "element"))
		case dtype.IsFloat() && dtype != graph.Float64:
			return float64(float32(real(t)))
		}
		return real(t)
	}
	data := make([]float64, rapid.IntRange(0, 4).Draw(t, "elements"))
	for i := range data {
		data[i] = element()
	}
	v := graph.Summarize(dtype, data, len(data))
	if rapid.Bool().Draw(t, "whole") {
		return v
	}
	v.Count += 1 + number(t, 40)
	v.Min, v.Max, v.Mean = element(), element(), real(t)
	v.NaN, v.Inf = number(t, 64), number(t, 64)
	v.Norm, v.Zeros, v.Measured = 0, 0, rapid.Bool().Draw(t, "measured")
	if v.Measured {
		v.Norm, v.Zeros = real(t), number(t, 64)
	}
	return v
}

// attr draws an attribute that only has what its type calls for.
func attr(t *rapid.T) graph.Attr {
	a := graph.Attr{Name: graph.StringID(rapid.IntRange(0, 3).Draw(t, "name"))}
	a.Type = graph.AttrType(rapid.IntRange(0, int(graph.AttrFloats)).Draw(t, "type"))
	switch a.Type {
	case graph.AttrBool, graph.AttrInt, graph.AttrUint, graph.AttrInts, graph.AttrUints:
		a.Ints = rapid.SliceOfN(rapid.Int64(), 0, 3).Draw(t, "ints")
	case graph.AttrFloat, graph.AttrFloats:
		for range rapid.IntRange(0, 3).Draw(t, "floats") {
			a.Floats = append(a.Floats, real(t))
		}
	case graph.AttrText:
		a.Text = rapid.String().Draw(t, "text")
	}
	return a
}
