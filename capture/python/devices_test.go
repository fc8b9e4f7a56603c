package python_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// sayDevices writes where the tensors in the program's variables are.
const sayDevices = `
import json
with open("devices.json", "w") as file:
    json.dump({k: [str(v.device), list(v.shape)] for k, v in list(globals().items()) if isinstance(v, torch.Tensor)}, file)
`

// TestTensorsAreOnTheDeviceThatTheProgramSays is about the CPU and "meta", which every build
// has: its tensors take no memory and hold nothing that could be read.
func TestTensorsAreOnTheDeviceThatTheProgramSays(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", hard, "devices.py"))
	if err != nil {
		t.Fatal(err)
	}
	eachRelease(t, func(t *testing.T, r release) {
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
		for x := range g.Tensors() {
			if bytes, _ := g.Storage(x.Storage); x.Device == "meta" && (bytes > 0 || x.Value.Known()) {
				t.Errorf("t%d on meta has %d bytes and holds %v", x.ID, bytes, x.Value)
			}
		}
	})
}
