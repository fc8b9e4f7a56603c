package graph

import (
	"errors"
	"strings"
	"testing"
)

const small = `stack 1 "p.py":3:0-0:0:"main"
+0s tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad value=(dtype=float32 count=2 whole=true first=[1,2])
+1µs node-created @1 node=1 name="AccumulateGrad" sequence=18446744073709551615 outputs=1 variable=1
+0s node-created @1 node=2 name="MulBackward0" outputs=1 edges=[(node=1),()] saved=[(name="self"),(name="other" tensor=1)]
+0s tensor-created @1 tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2] node=2 value=(dtype=float32 count=2 whole=true first=[2,4])
+0s op-ran @1 op="mul" inputs=[1] outputs=[2] node=2
+0s name-bound @1 name="y" tensor=2
+0s mutated @1 tensor=1 to=1
+5µs backward-began @1 backward=1 roots=[(tensor=2 node=2)]
+0s node-ready @1 backward=1 node=2
+0s node-executed @1 backward=1 node=2 in=[(shape=[2] dtype=float32 count=2 whole=true first=[1,1])] out=[(shape=[2] dtype=float32 count=2 whole=true first=[2,2]),()]
+0s saved-freed @1 backward=1 node=2
+0s node-ready @1 backward=1 node=1
+0s node-executed @1 backward=1 node=1
+0s backward-ended @1 backward=1
`

func TestTextFormConvertsBothWays(t *testing.T) {
	tape := NewTape(Limits{})
	if err := tape.ReadText(strings.NewReader(small)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := tape.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	if out.String() != small {
		t.Errorf("got\n%s\nwant\n%s", out.String(), small)
	}
	for _, p := range Validate(tape, 10) {
		t.Error(p)
	}
}

func TestDroppedEventsCannotBeReadAndOthersStay(t *testing.T) {
	tape := NewTape(Limits{})
	for i := range 3 * chunkEvents {
		tape.Append(Header{}, &Iteration{Number: uint64(i)})
	}
	const kept = 2*chunkEvents + 5
	tape.Drop(kept)
	if _, _, err := tape.At(0); !errors.Is(err, ErrPosition) {
		t.Errorf("a dropped event: error %v", err)
	}
	for _, p := range []Pos{kept, tape.Len() - 1} {
		if _, e, err := tape.At(p); err != nil || e.(*Iteration).Number != uint64(p) {
			t.Errorf("event %d: %v, %v", p, e, err)
		}
	}
	tape.Drop(tape.Len())
	if p, ok := tape.Append(Header{}, &Iteration{Number: 7}); !ok || p != 3*chunkEvents {
		t.Errorf("appended at %d", p)
	}
}
