package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
)

// onTheGPU is a leaf that was moved to a GPU, or turned into float64 there.
const onTheGPU = `
stack 1 "a.py":1:5-1:9:"<module>"
stack 2 "a.py":2:1-2:9:"<module>"
+0s tensor-created @1 tensor=1 storage=1 bytes=12 counter=1 dtype=float32 shape=[3] flags=requires_grad device="FROM"
+1ms node-created @1 node=1 name="AccumulateGrad" sequence=18446744073709551615 outputs=1 variable=1
+0s node-created @1 node=2 name="ToCopyBackward0" sequence=1 outputs=1 edges=[(node=1)]
+0s tensor-created @1 tensor=2 storage=2 bytes=24 counter=2 dtype=float64 shape=[3] node=2 device="cuda:0"
+0s op-ran @1 op="to" inputs=[1] outputs=[2] node=2
+0s name-bound @1 name="w" tensor=2
+0s tensor-released @1 tensor=1
+1ms raised @2 type="ValueError" code="python" message="can't optimize a non-leaf Tensor" tensors=[2]
`

func TestALeafThatWasMovedToAnotherDeviceIsNoLeaf(t *testing.T) {
	const about = "`w` is not a leaf "
	for from, want := range map[string]string{
		"cpu":    about + "(to copied it to cuda:0), so its gradient is not retained",
		"cuda:0": about + "(it is the result of to), so its gradient is not retained",
	} {
		tape := graph.NewTape(graph.Limits{})
		if err := tape.ReadText(strings.NewReader(strings.Replace(onTheGPU, "FROM", from, 1))); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range inspect.Check(tape, rules.All(), inspect.Options{}).Findings {
			got = append(got, f.Code+": "+f.Message)
		}
		if diff := cmp.Diff([]string{"grad-none-not-leaf: " + want}, got); diff != "" {
			t.Errorf("from %s (-want +got):\n%s", from, diff)
		}
	}
}
