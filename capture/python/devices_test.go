package python_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
)

// sayDevices writes where the tensors in the program's variables are, and what the recorder
// would read of tensors if they were on a GPU.
const sayDevices = `
import json, sys
with open("devices.json", "w") as file:
    json.dump({k: [str(v.device), list(v.shape)] for k, v in list(globals().items()) if isinstance(v, torch.Tensor)}, file)
if "gradtui._recorder.values" in sys.modules:
    values = sys.modules["gradtui._recorder.values"]
    device_of, level, others = values.tensors.device_of, values.level, values._others
    few, many = torch.ones(2), torch.full((9,), float("nan"))
    values.tensors.device_of = lambda t: torch.device("cuda:0")
    found = []
    for values.level in (1, 2):
        values._others = values.level
        found += [values.value(few), values.grad(few, True)[2], values.value(many) is not None, values.of_gradients([(None, many)])[0] is not None]
    values.tensors.device_of, values.level, values._others = device_of, level, others
    with open("read.json", "w") as file:
        json.dump(found, file)
`

// TestTensorsAreOnTheDeviceThatTheProgramSays is about the CPU and "meta", which every build
// has: its tensors take no memory and hold nothing that could be read.
func TestTensorsAreOnTheDeviceThatTheProgramSays(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", hard, "devices.py"))
	if err != nil {
		t.Fatal(err)
	}
	eachRelease(t, func(t *testing.T, r *release) {
		tape, folder := r.recordSource(t, string(source)+sayDevices)
		for _, p := range graph.Validate(tape, 10) {
			t.Error(p)
		}
		var want map[string][]any
		readJSON(t, filepath.Join(folder, "devices.json"), &want)
		g := tape.CursorAt(tape.Len()).Graph()
		got := map[string][]any{}
		for name := range want {
			id, _ := g.Lookup(name)
			x, _ := g.Tensor(id)
			shape := []any{}
			for _, n := range x.Shape {
				shape = append(shape, float64(n))
			}
			got[name] = []any{x.Device, shape}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("devices and shapes (-the program's +the tape's):\n%s", diff)
		}
		var read []any
		readJSON(t, filepath.Join(folder, "read.json"), &read)
		few := []any{1.0, 1.0}
		if diff := cmp.Diff([]any{nil, nil, false, false, few, few, true, true}, read); diff != "" {
			t.Errorf("what is read on a GPU while a program is recorded, and in the debugger (-want +got):\n%s", diff)
		}
		var found []string
		for _, f := range inspect.Check(tape, rules.All(), inspect.Options{}).Findings {
			found = append(found, f.Message)
		}
		moved := []string{
			"`again` is not a leaf (to copied it to meta), so its gradient is not retained",
			"the output does not depend on `here`",
			"the 4 units of `filled` start equal and stay equal: they compute one and the same feature",
		}
		if diff := cmp.Diff(moved, found); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
		casts := 0
		eachEvent(tape, func(e graph.Event) {
			if e, ok := e.(*graph.ModeChanged); ok && e.Mode == graph.AutocastMode {
				casts++
			}
		})
		if want := map[bool]int{true: 0, false: 2}[r.version == oldest]; casts != want {
			t.Errorf("autocast was switched %d times, want %d: for mps, and not for cuda, which is not there", casts, want)
		}
		for x := range g.Tensors() {
			if bytes, _ := g.Storage(x.Storage); x.Device == "meta" && (bytes > 0 || x.Value.Known()) {
				t.Errorf("t%d on meta has %d bytes and holds %v", x.ID, bytes, x.Value)
			}
		}
	})
}
