package rules_test

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/inspect/story"
	"github.com/gradtui/gradtui/inspect/usage"
)

// unknown are tapes with events about tensors, nodes, operations and passes that no event made.
//
// All of them know three call stacks.
var unknown = map[string]string{
	"a backward pass that never began": `
+0s node-created node=1 name="A"
+0s backward-failed backward=1 node=1 type="RuntimeError" message="x"
`,
	"a tensor whose number is not the next": `
+0s node-created @1 node=1 name="A"
+0s tensor-created @1 tensor=7 node=1
+0s line-reached @2
`,
	"a result whose graph leads to a tensor": `
+0s tensor-created tensor=1 storage=1 bytes=4 counter=1 flags=requires_grad
+0s node-created node=3 name="AccumulateGrad" variable=1
+0s tensor-created tensor=11 storage=7 bytes=4 counter=7 node=3
`,
	"a loss of nothing": `
+0s warned @1 message="a target of a size that is different to the input size"
+0s op-ran @1 op="expand" outputs=[1]
+0s op-ran @1 op="mse_loss" inputs=[1,2]
`,
	"a broadcast of nothing": `
+0s tensor-created tensor=1 storage=1 counter=1 shape=[3]
+0s op-ran @1 op="expand" outputs=[1]
+0s warned @1 message="a target of a size that is different to the input size"
+0s op-ran @1 op="mse_loss" inputs=[1,2] outputs=[1]
`,
}

const threeLines = `
stack 1 "a.py":1:1-1:2:"f"
stack 2 "a.py":2:1-2:2:"f"
stack 3 "a.py":3:1-3:2:"f"
`

func TestATapeMayReferToWhatDoesNotExist(t *testing.T) {
	for name, text := range unknown {
		t.Run(name, func(t *testing.T) {
			tape := graph.NewTape(graph.Limits{})
			if err := tape.ReadText(strings.NewReader(threeLines + text)); err != nil {
				t.Fatal(err)
			}
			h := inspect.Check(tape, rules.All(), inspect.Options{}).History
			for id := range graph.TensorID(20) {
				story.Of(h, id)
			}
			usage.Measure(tape, tape.Len())
		})
	}
}
