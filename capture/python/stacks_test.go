package python_test

import (
	"bufio"
	"bytes"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/internal/testing/goldenfile"
)

var update = flag.Bool("update", false, "rewrite what is listed")

// stacksProgram prints who calls its hooks, Functions and the like.
var stacksProgram = filepath.Join("testdata", hard, "stacks.py")

// seenOnPyTorch has the stacks that this program prints on PyTorch 2.6.
var seenOnPyTorch = filepath.Join("testdata", "stacks-2.6.txt")

// seenOtherwise are the callbacks that see other functions above them on the built-in engine,
// with the reason. docs/use/python.md says so as well.
var seenOtherwise = map[string]string{
	"__index__":                 "arguments are converted in Python",
	"__torch_dispatch__":        "the engine has no TorchDispatchMode",
	"__torch_function__":        "functions of torch.nn.functional are the engine's, where PyTorch has Python that asks",
	"checkpoint":                "there is no torch._dynamo around checkpoint",
	"closure":                   "step of an optimizer is one function, where PyTorch has two",
	"forward of a module":       "of a closure: the same",
	"forward_hook":              "of a closure: the same",
	"forward_pre_hook":          "of a closure: the same",
	"load_state_dict_post_hook": "load_state_dict calls another function",
}

// A program's callbacks see the functions above them that PyTorch has in Python, and no others:
// neither the engine's replacements for C code nor the functions that wait for it.
func TestCallbacksSeeTheStacksOfPyTorch(t *testing.T) {
	source, err := os.ReadFile(stacksProgram)
	if err != nil {
		t.Fatal(err)
	}
	seen := stacksIn(onBuiltin(t, "from gradtui._agent.unseen import possible\nprint('unseen', possible)\n"+string(source)))
	listed, err := os.ReadFile(seenOnPyTorch)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for line := range strings.Lines(string(listed)) {
		what, stack, _ := strings.Cut(strings.TrimSpace(line), ": ")
		want[what] = append(want[what], stack)
	}
	for what, stacks := range want {
		diff := cmp.Diff(stacks, seen[what])
		switch why := seenOtherwise[what]; {
		case diff != "" && why == "":
			t.Errorf("%s sees other stacks than on PyTorch (-PyTorch +engine):\n%s", what, diff)
		case diff == "" && why != "":
			t.Errorf("%s is listed, but sees what it sees on PyTorch", what)
		}
	}
}

// onBuiltin is what a program prints on the built-in engine, in a Python that can leave frames out.
func onBuiltin(t *testing.T, source string) string {
	t.Helper()
	needPython(t)
	path := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	program := &python.Program{Path: path, Engine: python.Builtin, Stdout: &stdout, Stderr: io.Discard}
	if _, err := program.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	out := stdout.String()
	if strings.HasPrefix(out, "unseen False") {
		t.Skip("this Python shows all frames")
	}
	return out
}

// stacksIn are the different stacks in the output of the program, by what has seen them, as
// names of functions, the innermost first. Python before 3.12 has a frame for a list that is
// built in brackets.
func stacksIn(out string) map[string][]string {
	stacks := map[string][]string{}
	lines := bufio.NewScanner(strings.NewReader(out))
	for lines.Scan() {
		what, frames, found := strings.Cut(lines.Text(), " ('")
		fields := strings.Fields(what)
		if !found || len(fields) < 3 {
			continue
		}
		what = strings.Join(fields[:len(fields)-2], " ")
		var names []string
		for frame := range strings.SplitSeq(frames, ") (") {
			_, name, _ := strings.Cut(frame, ", ")
			if name = strings.Trim(name, "')"); name != "<listcomp>" {
				names = append(names, name)
			}
		}
		if stack := strings.Join(names, " "); !slices.Contains(stacks[what], stack) {
			stacks[what] = append(stacks[what], stack)
		}
	}
	return stacks
}

// TestStacksOnPyTorchAreListed checks the file of them; -update rewrites it.
func TestStacksOnPyTorchAreListed(t *testing.T) {
	release := releases()[0]
	release.need(t)
	cmd := release.run(stacksProgram)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	stacks := stacksIn(out.String())
	var text strings.Builder
	for _, what := range slices.Sorted(maps.Keys(stacks)) {
		for _, stack := range stacks[what] {
			text.WriteString(what + ": " + stack + "\n")
		}
	}
	goldenfile.Check(t, seenOnPyTorch, text.String(), *update)
}
