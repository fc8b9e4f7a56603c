package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradtui/gradtui/internal/testing/torchviztest"
)

// torchvizModes are the flags for the ways to call make_dot.
var torchvizModes = map[string][]string{
	"plain":     nil,
	"saved":     {"--saved"},
	"attrs":     {"--saved", "--attrs"},
	"onlyattrs": {"--attrs"},
}

// TestPythonProgramsAreDrawnAsTorchvizDrawsThem exports the graphs of the programs
// for which export/testdata has what torchviz drew of them: one in all modes, the others
// with all that is saved, which the other modes leave out.
func TestPythonProgramsAreDrawnAsTorchvizDrawsThem(t *testing.T) {
	needsPython(t)
	if testing.Short() {
		t.Skip("runs many programs")
	}
	data := filepath.Join("..", "..", "export", "testdata")
	recordings, err := filepath.Glob(filepath.Join(data, "torchviz-2.6", "*.txtar"))
	if err != nil || len(recordings) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range recordings {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		program := filepath.Join(data, "torchviz", "programs", name+".py")
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(archive.Comment), "max_attr_chars") || strings.Contains(string(source), "params = None") {
			continue // what the command has no flags for
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fullest := slices.IndexFunc(archive.Files, func(f txtar.File) bool {
				// Of multi_output the size that PyTorch's node of svd keeps of its result is not recorded.
				return f.Name == "attrs.dot" && name != "multi_output"
			})
			for i, f := range archive.Files {
				flags, ok := torchvizModes[strings.TrimSuffix(f.Name, ".dot")]
				if !ok || fullest >= 0 && i != fullest && name != "mlp" || name == "multi_output" && slices.Contains(flags, "--attrs") {
					continue
				}
				got := exportTorchviz(t, program, flags)
				if diff := cmp.Diff(string(f.Data), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", f.Name, diff)
				}
			}
		})
	}
}

// exportTorchviz runs gradtui export.
func exportTorchviz(t *testing.T, program string, flags []string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.dot")
	args := append([]string{"export", program, "-o", out, "--style", "torchviz", "--root", "root", "--params", "params"}, flags...)
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gradtui %s: %v\n%s", strings.Join(args, " "), err, text)
	}
	dot, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return torchviztest.Renamed(string(dot))
}
