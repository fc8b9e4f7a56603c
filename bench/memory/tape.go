package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect/usage"
)

// flushed is how many events are written to the file at once.
const flushed = 1 << 16

// A turn is the iteration that is repeated. What it and the one before it made is made
// again each time, under other identifiers; what is older stays.
type turn struct {
	from, to graph.Pos
	length   time.Duration
	old      idents // the largest identifiers that stay
	made     idents // how many an iteration makes
}

// idents has a number for each type of identifier.
type idents map[reflect.Type]uint64

var identifiers = []reflect.Type{
	reflect.TypeFor[graph.TensorID](), reflect.TypeFor[graph.NodeID](), reflect.TypeFor[graph.StorageID](),
	reflect.TypeFor[graph.CounterID](), reflect.TypeFor[graph.BackwardID](),
}

// repeat writes a tape of about so many events: the short one up to its last iteration
// but one, and this again and again.
func repeat(short *graph.Tape, events graph.Pos, path string) error {
	t, err := lastTurn(short)
	if err != nil {
		return err
	}
	file, err := tapefile.Create(path, short.Info(), tapefile.WriterOptions{Overwrite: true})
	if err != nil {
		return err
	}
	tape := graph.NewTape(graph.Limits{})
	if err := t.write(short, tape, events, file); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

func (t *turn) write(short, tape *graph.Tape, events graph.Pos, file *tapefile.Writer) error {
	dec := short.NewDecoder()
	names := copier{from: short, to: tape, noise: rand.New(rand.NewPCG(1, 2))}
	versions := versions{counters: map[graph.TensorID]graph.CounterID{}, now: map[graph.CounterID]uint32{}}
	for p, times := graph.Pos(0), uint64(0); ; p++ {
		if p == t.to {
			if tape.Len() >= events {
				return nil
			}
			p, times = t.from, times+1
		}
		h, e, err := dec.Read(p)
		if err != nil {
			return err
		}
		h.Stack = tape.InternStack(short.Stack(h.Stack))
		h.Time += time.Duration(times) * t.length
		names.walk(reflect.ValueOf(e).Elem(), func(v reflect.Value) {
			if id := v.Uint(); times > 0 && id > t.old[v.Type()] {
				v.SetUint(id + times*t.made[v.Type()])
			}
		})
		versions.correct(e)
		if tape.Append(h, e); tape.Len()%flushed == 0 {
			if err := file.Flush(tape); err != nil {
				return err
			}
			tape.Drop(tape.Len())
		}
	}
}

// lastTurn finds the last iteration but one, and that the one before it made as much.
func lastTurn(tape *graph.Tape) (*turn, error) {
	all := usage.Iterations(tape, tape.Len())
	n := len(all)
	if n < 5 {
		return nil, fmt.Errorf("the program has %d iterations, not enough", n)
	}
	last := all[n-2]
	t := &turn{from: last.From, to: last.To, old: created(tape, all[n-3].From), made: idents{}}
	now, before := created(tape, last.To), created(tape, last.From)
	for _, id := range identifiers {
		if t.made[id] = now[id] - before[id]; t.made[id] != before[id]-t.old[id] {
			return nil, errors.New("the program's last iterations differ")
		}
	}
	first, _, err := tape.At(t.from)
	if err != nil {
		return nil, err
	}
	next, _, err := tape.At(t.to)
	t.length = next.Time - first.Time
	return t, err
}

// created are the largest identifiers before a position.
func created(tape *graph.Tape, end graph.Pos) idents {
	found := idents{}
	names := copier{from: tape, to: tape}
	dec := tape.NewDecoder()
	for p := range end {
		if _, e, err := dec.Read(p); err == nil {
			names.walk(reflect.ValueOf(e).Elem(), func(v reflect.Value) {
				found[v.Type()] = max(found[v.Type()], v.Uint())
			})
		}
	}
	return found
}

// Versions follow the version counters, which go on where the iteration before left them.
type versions struct {
	counters map[graph.TensorID]graph.CounterID
	now      map[graph.CounterID]uint32
}

// correct gives an event the versions of the moment.
func (v *versions) correct(e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		v.counters[e.Tensor] = e.Counter
		if now, known := v.now[e.Counter]; known {
			e.Version = now
		}
		v.now[e.Counter] = e.Version
	case *graph.Mutated:
		c := v.counters[e.Tensor]
		e.From, e.To = v.now[c], v.now[c]+e.To-e.From
		v.now[c] = e.To
	case *graph.NodeCreated:
		for i, s := range e.Saved {
			if c, known := v.counters[s.Tensor]; known {
				e.Saved[i].Version = v.now[c]
			}
		}
	}
}

// A copier gives events the names of another tape.
type copier struct {
	from, to *graph.Tape
	noise    *rand.Rand // changes values, if it is not nil: they are never the same in a real run
}

// walk translates the strings of an event and visits its identifiers.
func (c copier) walk(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		if value, ok := v.Addr().Interface().(*graph.Value); ok {
			c.change(value)
			return
		}
		for i := range v.NumField() {
			c.walk(v.Field(i), visit)
		}
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Struct, reflect.Uint32:
			for i := range v.Len() {
				c.walk(v.Index(i), visit)
			}
		}
	case reflect.Uint32:
		if v.Type() == reflect.TypeFor[graph.StringID]() {
			v.SetUint(uint64(c.to.InternString(c.from.String(graph.StringID(v.Uint())))))
			return
		}
		for _, id := range identifiers {
			if v.Type() == id {
				visit(v)
			}
		}
	}
}

// change makes another value of about the same size.
func (c copier) change(v *graph.Value) {
	if c.noise == nil || !v.DType.IsFloat() {
		return
	}
	by := 0.99 + 0.02*c.noise.Float64()
	v.Min, v.Max, v.Mean, v.Norm = v.Min*by, v.Max*by, v.Mean*by, v.Norm*by
	for i := range v.First {
		v.First[i] *= 0.99 + 0.02*c.noise.Float64()
	}
}
