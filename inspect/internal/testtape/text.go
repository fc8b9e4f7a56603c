// Package testtape has the tapes that the tests of the rooms of inspect share.
package testtape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// FromText reads a tape in text form.
func FromText(t testing.TB, text string) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	if err := tape.ReadText(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return tape
}

// FiveLines are the call stacks of a program in one file.
const FiveLines = `
stack 1 "a.py":1:1-1:9:"<module>"
stack 2 "a.py":3:5-3:9:"<module>"
stack 3 "a.py":4:5-4:9:"<module>"
stack 4 "a.py":5:5-5:9:"<module>"
stack 5 "a.py":6:1-6:9:"<module>"
`

// Turn returns an iteration of a loop: h = w * w in line 3, h.backward() in line 4, a step in line 5.
//
// With keep the program holds h for ever.
func Turn(i int, keep bool) string {
	n, tensor := i*2+1, i+2
	text := fmt.Sprintf(`
+1ms node-created @2 node=%[1]d name="AccumulateGrad" outputs=1 variable=1
+0s node-created @2 node=%[2]d name="MulBackward0" outputs=1 edges=[(node=%[1]d),(node=%[1]d)] saved=[(name="self" tensor=1),(name="other" tensor=1)]
+0s tensor-created @2 tensor=%[3]d storage=%[3]d bytes=100 counter=%[3]d dtype=float32 shape=[25] node=%[2]d
+0s op-ran @2 op="mul" inputs=[1,1] outputs=[%[3]d] node=%[2]d
+1ms backward-began @3 backward=%[4]d roots=[(tensor=%[3]d node=%[2]d)]
+0s saved-freed @3 backward=%[4]d node=%[2]d
+0s backward-ended @3 backward=%[4]d
+1ms optimizer-stepped @4 optimizer="SGD" params=[1]
+0s optimizer-stepped @4 optimizer="SGD" done=true params=[1]
`, n, n+1, tensor, i+1)
	if !keep {
		text += fmt.Sprintf("+1ms tensor-released @4 tensor=%d\n", tensor)
	}
	return text
}

// Training returns a program with some iterations of [Turn].
func Training(turns int, keep bool) string {
	text := FiveLines + "+0s tensor-created @1 tensor=1 storage=1 bytes=100 counter=1 dtype=float32 shape=[25] flags=requires_grad|parameter\n"
	for i := range turns {
		text += Turn(i, keep)
	}
	return text + "+1ms output-written @5 stream=1\n"
}

// TwoWays is a program in which w goes into loss twice, once without its history, and
// is changed after it was saved; u is not used.
const TwoWays = FiveLines + `
+0s tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="w" tensor=1
+0s tensor-created @1 tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="u" tensor=2
+1ms tensor-created @2 tensor=3 storage=1 bytes=8 counter=1 dtype=float32 shape=[2]
+0s op-ran @2 op="detach" inputs=[1] outputs=[3]
+0s lineage-cut @2 why=detach inputs=[1] output=3
+0s name-bound @2 name="d" tensor=3
+1ms node-created @3 node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created @3 node=2 name="MulBackward0" outputs=1 edges=[(node=1),()] saved=[(name="other" tensor=3)]
+0s tensor-created @3 tensor=4 storage=3 bytes=8 counter=3 dtype=float32 shape=[2] node=2
+0s op-ran @3 op="mul" inputs=[1,3] outputs=[4] node=2
+0s name-bound @3 name="loss" scope="train" tensor=4
+1ms backward-began @4 backward=1 roots=[(tensor=4 node=2)]
+0s tensor-created @4 tensor=5 storage=4 bytes=8 counter=4 dtype=float32 shape=[2] flags=gradient
+0s grad-accumulated @4 backward=1 tensor=1 grad=5 how=steal added=(shape=[2] dtype=float32 count=2 whole=true first=[3,4]) value=(dtype=float32 count=2 whole=true first=[3,4])
+0s backward-ended @4 backward=1
+1ms mutated @5 tensor=1 to=1
+0s op-ran @5 op="add_" inputs=[1] outputs=[1] mutated=[1]
+0s mutated @5 tensor=1 from=1 to=2
+0s op-ran @5 op="mul_" inputs=[1] outputs=[1] mutated=[1]
`
