//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// importing is a Python with PyTorch, and an environment in which programs can import our
// package gradtui. Without one the test is skipped.
func importing(t *testing.T) (python string, env []string) {
	t.Helper()
	python = pythonWithTorch(t)
	return python, packageOnPath(t)
}

// packageOnPath is an environment in which Python programs can import our package gradtui.
func packageOnPath(t *testing.T) []string {
	t.Helper()
	bin, modules := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "gradtui")) // testscript.Main goes by the name
	}
	src, err2 := filepath.Abs("../../python/src")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for _, name := range []string{"gradtui"} {
		if err := os.Symlink(filepath.Join(src, name), filepath.Join(modules, name)); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"GRADTUI=" + filepath.Join(bin, "gradtui"), "PYTHONPATH=" + modules, "PYTHONDONTWRITEBYTECODE=1", "XDG_RUNTIME_DIR=" + require.ShortFolder(t)}
}

// withPackage runs a Python program that imports our package gradtui, in a folder.
func withPackage(t *testing.T, dir, program string) (stdout, stderr string) {
	t.Helper()
	return withPackageOn(t, pythonWithTorch(t), dir, program)
}

// withPackageOn is the same with a certain Python.
func withPackageOn(t *testing.T, python, dir, program string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, "-W", "error::UserWarning", "-c", program)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), packageOnPath(t)...)
	var out, complaints strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &out, &complaints)
	}
	return out.String(), complaints.String()
}

// kinds are the kinds of the events on a tape, in order.
func kinds(t *testing.T, path string) (found []graph.Kind) {
	t.Helper()
	tape, _, err := tapefile.Open(path, tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for p := range tape.Len() {
		_, e, err := tape.At(p)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, e.Kind())
	}
	return found
}

// A process that begins to record again tells everything again: nothing of what gradtui
// learned the first time is taken for known.
func TestEachRecordingOfAProcessStandsForItself(t *testing.T) {
	dir := t.TempDir()
	out, complaints := withPackage(t, dir, `
import os, torch, gradtui
model = torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def step():
    optimizer.zero_grad()
    model(torch.ones(4, 3)).relu().sum().backward()
    optimizer.step()
step()
for i in range(3):
    with gradtui.record("%d.tape" % i):
        for _ in range(20):
            step()
        if i == 1 and os.fork() == 0:
            step()
            os._exit(0)
try:
    with gradtui.record("failed.tape"):
        with gradtui.record("inner.tape"):
            pass
except gradtui.Error as error:
    print(error)
try:
    with gradtui.check(fail_on="error"):
        w = torch.ones(3, requires_grad=True)
        y = w.exp()
        y += 1
        y.sum().backward()
except RuntimeError as error:
    print(type(error).__name__)
with gradtui.check() as findings:
    step()
print(len(findings), type(torch.relu).__name__, gradtui.attach())
w = torch.ones(3, requires_grad=True)
with gradtui.audit() as findings:
    (w * w.data).sum().backward()
print([f["code"] for f in findings], findings.audit["verdict"])
with gradtui.audit(fail_on="warning") as findings:
    (w * w.detach()).sum().backward()
print(len(findings), findings.audit["verdict"])
try:
    with gradtui.audit():
        w.exp()
except gradtui.Error as error:
    print(error)
`)
	want := []string{
		"gradtui.record('failed.tape') already records, and recordings do not nest",
		"RuntimeError",
		"0 builtin_function_or_method False",
		"['gradient-lost'] gradient-lost",
		"0 exact-but-for-cuts",
		"no backward pass of the program reaches a leaf: there is no step to audit",
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(out), "\n")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("gradtui: no debugger waits for this program: run `gradtui attach` in another terminal\n", complaints); diff != "" {
		t.Error(diff)
	}
	first := kinds(t, filepath.Join(dir, "0.tape"))
	if len(first) < 500 {
		t.Errorf("only %d events", len(first))
	}
	for _, name := range []string{"1.tape", "2.tape"} {
		if diff := cmp.Diff(first, kinds(t, filepath.Join(dir, name))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	kinds(t, filepath.Join(dir, "failed.tape"))
}

// Cells of notebooks have no file: their text is where tracebacks look for it. Findings show
// their lines, and no frame of ours is in a call stack.
func TestFindingsInCellsOfNotebooksShowTheirLines(t *testing.T) {
	dir := t.TempDir()
	out, _ := withPackage(t, dir, `
import linecache
space = {"__name__": "__main__"}
def cell(n, source):
    name = "<ipython-input-%d-0123456789ab>" % n
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    exec(compile(source, name, "exec"), space)
cell(1, """import torch, gradtui
def loss(w):
    y = w.exp()
    y += 1
    return y.sum()
""")
cell(2, """w = torch.ones(3, requires_grad=True)
try:
    with gradtui.check() as findings:
        loss(w).backward()
except RuntimeError:
    print(findings)
""")
cell(3, """with gradtui.record("cells.tape"):
    torch.optim.SGD([w], lr=0.1).zero_grad()
    w.exp().sum().backward()
""")
`)
	for _, want := range []string{
		"--> <ipython-input-1-0123456789ab>:4:", " 4 |     y += 1\n", "modified in place here: version 0 -> 1",
		"::: <ipython-input-2-0123456789ab>:4:", " 4 |         loss(w).backward()\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	tape, _, err := tapefile.Open(filepath.Join(dir, "cells.tape"), tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for p := range tape.Len() {
		h, e, err := tape.At(p)
		if err != nil {
			t.Fatal(err)
		}
		if source, ok := e.(*graph.SourceRead); ok {
			files = append(files, "the text of "+tape.String(source.File))
		}
		for _, frame := range tape.Stack(h.Stack) {
			if !slices.Contains(files, frame.File) {
				files = append(files, frame.File)
			}
		}
	}
	want := []string{"the text of <ipython-input-3-0123456789ab>", "<ipython-input-3-0123456789ab>", "<string>"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestARecordingReplacesOnlyTapes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "train.py")
	if err := os.WriteFile(path, []byte("import torch"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, _ := withPackage(t, dir, `
import gradtui, torch
try:
    gradtui.record("train.py").start()
except gradtui.Error as e:
    print(e)
w = torch.ones(2, requires_grad=True)
with gradtui.record("run.tape"):
    (w * w).sum().backward()
with gradtui.record("run.tape"):
    (w + w).sum().backward()
`)
	if !strings.Contains(got, "train.py is not a tape, and only tapes are replaced") {
		t.Error(got)
	}
	if text, err := os.ReadFile(path); string(text) != "import torch" {
		t.Errorf("the program holds %q, %v", text, err)
	}
	tape, _, err := tapefile.Open(filepath.Join(dir, "run.tape"), tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := tape.CursorAt(tape.Len()).Graph().BackwardCount(); n != 1 {
		t.Errorf("%d passes are on the newer tape", n)
	}
}

// eachPythonWithTorch runs a test with Pythons that have releases of PyTorch that the recorder knows in different
// ways. One that is not there is skipped.
func eachPythonWithTorch(t *testing.T, test func(t *testing.T, python string)) {
	t.Helper()
	t.Run("1.13", func(t *testing.T) { test(t, pythonWithTorch(t)) })
	t.Run("2.6", func(t *testing.T) {
		python, err := filepath.Abs("../../tools/pytorch/python-torch-2.6")
		if err == nil {
			err = exec.Command(python, "-c", "import torch").Run()
		}
		if err != nil {
			require.Missing(t, "torch-2.6", "there is no PyTorch 2.6: "+err.Error())
		}
		test(t, python)
	})
}

// existing are the names that tensors which a recording found have where an operation first
// reads them.
func existing(t *testing.T, path string) (found []string) {
	t.Helper()
	tape, _, err := tapefile.Open(path, tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	met := map[graph.TensorID]bool{}
	for p := range tape.Len() {
		_, e, err := tape.At(p)
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case *graph.TensorCreated:
			met[e.Tensor] = e.Flags&graph.FlagExisting != 0
		case *graph.OpRan:
			g := tape.CursorAt(p + 1).Graph()
			for _, id := range e.Inputs {
				if met[id] {
					name := ""
					for b := range g.Bindings() {
						if b.Tensor == id {
							name = b.Scope + ":" + b.Name
						}
					}
					found = append(found, name)
				}
				met[id] = false
			}
		}
	}
	return found
}

// What exists when a recording begins is named by the variables of the functions that run,
// before the first operation that reads it. No code of the program runs for that, and
// nothing lives longer.
func TestWhatExistsIsNamedWhenItIsMet(t *testing.T) {
	eachPythonWithTorch(t, func(t *testing.T, python string) {
		dir := t.TempDir()
		out, complaints := withPackageOn(t, python, dir, `
import weakref, torch, gradtui
class Meta(type):
    def __getattribute__(cls, name):
        print("asked for", name)
        return type.__getattribute__(cls, name)
class Hostile(metaclass=Meta):
    def __getattr__(self, name):
        print("asked for", name)
        raise AttributeError(name)
    def __eq__(self, other): print("compared")
    def __repr__(self): print("shown")
    def __iter__(self): print("iterated")
    __hash__ = __len__ = __bool__ = __iter__
    @property
    def secret(self): print("read")
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3, 3))
        self.register_buffer("scale", torch.ones(3))
class Trainer:
    def __init__(self):
        self.layers = torch.nn.ModuleList([Block(), Block()])
        self.optimizer = torch.optim.SGD([torch.ones(3, requires_grad=True), *self.layers.parameters()], lr=0.1)
        self.hostile = Hostile()
    def step(self, x, state):
        for layer in self.layers:
            state = torch.tanh(x @ layer.weight * layer.scale + state)
        return state + self.optimizer.param_groups[0]["params"][0]
offset = torch.zeros(3)
def train():
    trainer, hostile = Trainer(), [Hostile()]
    batch, hidden = torch.ones(2, 3), torch.zeros(2, 3)
    extras = [torch.ones(3), {"mask": torch.ones(3)}]
    dropped = torch.ones(3)
    ref = weakref.ref(dropped)
    for i in range(3):
        if i == 1:
            recording = gradtui.record("train.tape").start()
            dropped = None
            print(ref(), weakref.getweakrefcount(batch))
        hidden = trainer.step(batch, hidden) + offset
        hidden = hidden * extras[0] * extras[1]["mask"]
        hidden.sum().backward()
        trainer.optimizer.step()
        hidden = hidden.detach()
        if i == 1:
            recording.stop()
train()
`)
		if out != "None 0\n" || complaints != "" {
			t.Errorf("the program says %q, %q", out, complaints)
		}
		want := []string{
			"train:batch", "train:trainer.layers[0].weight", "train:trainer.layers[0].scale", "train:hidden",
			"train:trainer.layers[1].weight", "train:trainer.layers[1].scale", "train:trainer.optimizer.param_groups[0]['params'][0]",
			":offset", "train:extras[0]", "train:extras[1]['mask']",
		}
		if diff := cmp.Diff(want, existing(t, filepath.Join(dir, "train.tape"))); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
	})
}

// The arguments of a decorated function and what its module holds are named as well.
func TestArgumentsOfARecordedFunctionAreNamed(t *testing.T) {
	dir := t.TempDir()
	withPackage(t, dir, `
import torch, gradtui
space = {"__name__": "models", "gradtui": gradtui, "torch": torch}
exec("""
bias = torch.ones(3)
@gradtui.record("call.tape")
def step(x, *more, scale):
    return x * scale + more[0] + bias
""", space)
space["step"](torch.ones(3), torch.ones(3), scale=torch.ones(3))
`)
	want := []string{"step:x", "step:scale", "", "models:bias"}
	if diff := cmp.Diff(want, existing(t, filepath.Join(dir, "call.tape"))); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// A record that cannot be sent ends the recording, and the tape says so. The program goes on.
func TestARecordThatCannotBeSentIsMissed(t *testing.T) {
	dir := t.TempDir()
	out, _ := withPackage(t, dir, `
import warnings, torch, gradtui
from gradtui._recorder import wire
w = torch.ones(3)
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    with gradtui.record("run.tape"):
        w.exp()
        wire.pending.append(("warned", "UserWarning", object(), 0))
        w.tanh()
        wire.sync()
        print(w.sum().item())
print(*(f.message for f in found))
with gradtui.record("next.tape"):
    w.exp()
`)
	const reason = "a record that cannot be sent: warned: unmarshallable object"
	if !strings.HasPrefix(out, "3.0\ngradtui: ") || !strings.Contains(out, reason) {
		t.Errorf("the program says %q", out)
	}
	tape, _, err := tapefile.Open(filepath.Join(dir, "run.tape"), tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var ops []string
	var last graph.Event
	for p := range tape.Len() {
		if _, last, err = tape.At(p); err != nil {
			t.Fatal(err)
		}
		if op, ok := last.(*graph.OpRan); ok {
			ops = append(ops, tape.String(op.Op))
		}
	}
	stopped, ok := last.(*graph.RecordingStopped)
	if !ok || !strings.Contains(stopped.Reason, reason) || !slices.Equal(ops, []string{"exp"}) {
		t.Errorf("after %v the tape ends with %v", ops, last)
	}
	if found := kinds(t, filepath.Join(dir, "next.tape")); slices.Contains(found, graph.KindRecordingStopped) {
		t.Error("the next recording is damaged, too")
	}
}
