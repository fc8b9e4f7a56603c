package graph_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// eachKind runs a law for events of each kind, with fields that recording does
// not change, on a tape that has a few strings.
func eachKind(t *testing.T, law func(*rapid.T, *graph.Tape, graph.Event)) {
	for _, k := range graph.Kinds[1:] {
		t.Run(k.Name, rapid.MakeCheck(func(t *rapid.T) {
			e := k.Kind.New()
			tapetest.Fill(t, e, false)
			law(t, fewStrings(), e)
		}))
	}
}

func fewStrings() *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	for _, s := range []string{"mul", "öl \"\x00\n", "self.weight"} {
		tape.InternString(s)
	}
	return tape
}

func sameEvent(want, got graph.Event) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateNaNs())
}

func TestEveryKindSurvivesRecording(t *testing.T) {
	eachKind(t, func(t *rapid.T, tape *graph.Tape, e graph.Event) {
		p, ok := tape.Append(graph.Header{}, e)
		_, got, err := tape.At(p)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if diff := sameEvent(e, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The kinds that are most of a tape are encoded by hand.
func TestEveryKindIsEncodedAsItsFieldsSay(t *testing.T) {
	eachKind(t, func(t *rapid.T, tape *graph.Tape, e graph.Event) {
		recorded, listed := graph.Encodings(tape, e)
		if !bytes.Equal(recorded, listed) {
			t.Fatalf("recorded %x, its fields are %x", recorded, listed)
		}
	})
}

func TestEveryKindSurvivesTheTextForm(t *testing.T) {
	eachKind(t, func(t *rapid.T, tape *graph.Tape, e graph.Event) {
		tape.Append(graph.Header{Time: 1500, Thread: 3}, e)
		written := text(t, tape)
		copied := fewStrings()
		if err := copied.ReadText(strings.NewReader(written)); err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		_, got, err := copied.At(0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := sameEvent(e, got); diff != "" {
			t.Fatalf("%s\n%s", diff, written)
		}
	})
}

// Whatever the fields hold, recording changes an event at most once.
func TestWhatWasRecordedIsRecordedTheSameAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := tapetest.Hostile(t)
		again := fewStrings()
		im := again.NewImporter()
		block, _, err := tape.NewExporter().AppendBlock(nil, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		if len(block) > 0 {
			if _, err := im.Append(block); err != nil {
				t.Fatal(err)
			}
		}
		for p := range tape.Len() {
			_, want, _ := tape.At(p)
			_, got, err := again.At(p)
			if err != nil {
				t.Fatal(err)
			}
			if want, got := tape.EventText(nil, want), again.EventText(nil, got); string(want) != string(got) {
				t.Fatalf("event %d\n%s\n%s", p, want, got)
			}
		}
	})
}

// Tapes from before devices were recorded have no such field, and tensors on the CPU take no
// more room than there.
func TestADeviceTakesRoomOnlyWhereItIsNotTheCPU(t *testing.T) {
	tape := fewStrings()
	cuda := tape.InternString("cuda:1")
	for _, e := range [][2]graph.Event{
		{&graph.TensorCreated{Tensor: 1, Storage: 1, Counter: 1}, &graph.TensorCreated{Tensor: 2, Storage: 2, Counter: 2, Device: cuda}},
		{&graph.Reshaped{Tensor: 2, Storage: 1}, &graph.Reshaped{Tensor: 1, Storage: 2, Device: cuda}},
	} {
		before, _ := graph.Encodings(tape, e[0])
		after, _ := graph.Encodings(tape, e[1])
		if len(after) != len(before)+1 {
			t.Errorf("%s: %d bytes on the CPU, %d elsewhere", e[0].Kind(), len(before), len(after))
		}
		tape.Append(graph.Header{}, &graph.Unknown{Code: e[0].Kind(), Raw: before})
		tape.Append(graph.Header{}, e[1])
	}
	c := graph.NewCursor(tape)
	var devices []string
	for range tape.Len() {
		c.Next()
		x, _ := c.Graph().Tensor(1)
		y, _ := c.Graph().Tensor(2)
		devices = append(devices, x.Device+" "+y.Device)
	}
	if diff := cmp.Diff([]string{"cpu ", "cpu cuda:1", "cpu cpu", "cuda:1 cpu"}, devices); diff != "" {
		t.Error(diff)
	}
}

// Older tapes do not describe the results of nodes, and where a tensor is the result that
// takes no room.
func TestTheResultsOfANodeTakeRoomOnlyWhereTheyAreDescribed(t *testing.T) {
	tape := fewStrings()
	plain := &graph.NodeCreated{Node: 1, Outputs: 2}
	described := &graph.NodeCreated{Node: 2, Outputs: 2, Results: []graph.Result{{DType: graph.Float32, Shape: []int{3, 5}}, {}}}
	before, _ := graph.Encodings(tape, plain)
	after, _ := graph.Encodings(tape, described)
	if extra := after[len(before):]; string(extra) != "\x02\x01\x02\x06\x0a\x00\x00" {
		t.Errorf("the results are written as %q", extra)
	}
	tape.Append(graph.Header{}, &graph.Unknown{Code: plain.Kind(), Raw: before})
	tape.Append(graph.Header{}, described)
	c := graph.NewCursor(tape)
	if err := c.Seek(tape.Len()); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]graph.Result{nil, described.Results} {
		if n, ok := c.Graph().Node(graph.NodeID(i + 1)); !ok || !cmp.Equal(n.Results, want, cmpopts.EquateEmpty()) {
			t.Errorf("node %d has the results %v, not %v", i+1, n.Results, want)
		}
	}
}

func TestTheTextFormConvertsBothWays(t *testing.T) {
	eachTape(t, func(t *rapid.T, tape *graph.Tape) {
		written := text(t, tape)
		copied := graph.NewTape(graph.Limits{})
		if err := copied.ReadText(strings.NewReader(written)); err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if diff := cmp.Diff(written, text(t, copied)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A newer version appends fields to an event; they are carried along, behind one that is
// left out when nothing follows.
func TestUnknownTrailingFieldsSurvive(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	tape.Append(graph.Header{}, &graph.Unknown{Code: graph.KindSavedFreed, Raw: []byte{3, 4, 'n', 0xff}})
	without, _ := graph.Encodings(tape, &graph.TensorCreated{Tensor: 1})
	tape.Append(graph.Header{}, &graph.Unknown{Code: graph.KindTensorCreated, Raw: append(without, 0, 5)})
	want := "+0s saved-freed backward=3 node=4 more=\"n\\xff\"\n+0s tensor-created tensor=1 more=\"\\x05\"\n"
	if got := text(t, tape); got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
	for _, copied := range []*graph.Tape{viaText(t, tape), viaBlocks(t, tape, fewStrings(), 1)} {
		if got, want := text(t, copied), text(t, tape); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// An older version has fewer fields; the missing ones are zero.
func TestMissingTrailingFieldsReadAsZero(t *testing.T) {
	for _, k := range graph.Kinds[1:] {
		tape := graph.NewTape(graph.Limits{})
		p, ok := tape.Append(graph.Header{}, &graph.Unknown{Code: k.Kind})
		_, e, err := tape.At(p)
		if !ok || err != nil {
			t.Fatalf("%s: %v", k.Name, err)
		}
		if diff := sameEvent(k.Kind.New(), e); diff != "" {
			t.Errorf("%s: %s", k.Name, diff)
		}
	}
	tape := graph.NewTape(graph.Limits{})
	tape.Append(graph.Header{}, &graph.Unknown{Code: graph.KindMutated, Raw: []byte{9, 1}})
	_, e, _ := tape.At(0)
	if diff := sameEvent(&graph.Mutated{Tensor: 9, From: 1}, e); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownKindsSurvive(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	e := &graph.Unknown{Code: 200, Raw: []byte("what\x00 is it")}
	tape.Append(graph.Header{Thread: 2, Time: 5}, e)
	for _, copied := range []*graph.Tape{viaText(t, tape), viaBlocks(t, tape, fewStrings(), 1)} {
		h, got, err := copied.At(0)
		if err != nil || h.Thread != 2 || h.Time != 5 {
			t.Error(h, err)
		}
		if diff := sameEvent(e, got); diff != "" {
			t.Error(diff)
		}
	}
}

// A record inside an event has no length of its own, so half of one is damage.
func TestAnEventThatEndsInsideARecordIsRefused(t *testing.T) {
	for _, u := range []graph.Unknown{
		{Code: graph.KindNodeCreated, Raw: []byte{1, 0, 0, 1, 0, 2, 5}},           // one of two edges, half of it
		{Code: graph.KindMutated, Raw: []byte{1, 0, 1, 1, 4}},                     // a value without elements
		{Code: graph.KindOpRan, Raw: []byte{0, 3, 1, 0x80}},                       // half a number
		{Code: graph.KindMutated, Raw: []byte{1, 0, 1, 1, 2, 1, 1, 0, 0, 0, 0}},   // a whole value with one of two elements
		{Code: graph.KindRequiresGrad, Raw: []byte{0xff, 0xff, 0xff, 0xff, 0x7f}}, // a tensor beyond 32 bits
	} {
		tape := graph.NewTape(graph.Limits{})
		if _, ok := tape.Append(graph.Header{}, &u); ok || tape.Len() != 0 {
			t.Errorf("%s %x was recorded", u.Code, u.Raw)
		}
	}
}

func viaText(t *testing.T, tape *graph.Tape) *graph.Tape {
	t.Helper()
	copied := graph.NewTape(graph.Limits{})
	if err := copied.ReadText(strings.NewReader(text(t, tape))); err != nil {
		t.Fatal(err)
	}
	return copied
}

func viaBlocks(t interface {
	Helper()
	Fatal(...any)
}, from, to *graph.Tape, limit int) *graph.Tape {
	t.Helper()
	x, im := from.NewExporter(), to.NewImporter()
	for x.Next() < from.Len() {
		block, n, err := x.AppendBlock(nil, limit)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := im.Append(block); err != nil || got != n {
			t.Fatal(got, n, err)
		}
	}
	return to
}
