//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/internal/testing/require"
)

const testedModel = `import pytest
import torch


def test_fine():
    w = torch.ones(3, requires_grad=True)
    w.exp().sum().backward()
    assert w.grad is not None


def test_expects_the_error():
    w = torch.ones(3, requires_grad=True)
    y = w.exp()
    y += 1
    with pytest.raises(RuntimeError, match="inplace operation"):
        y.sum().backward()


def test_finds_no_gradient():
    w = torch.ones(3, requires_grad=True).to(torch.float64)
    w.sum().backward()
    print(w.grad)


def test_ignored():
    w = torch.ones(3, requires_grad=True).to(torch.float64)  # gradtui: ignore[grad-none-not-leaf]
    w.sum().backward()
    print(w.grad)


@pytest.mark.no_gradtui
def test_left_out():
    w = torch.ones(3, requires_grad=True).to(torch.float64)
    w.sum().backward()
    print(w.grad)


def test_fails_by_itself():
    w = torch.ones(3, requires_grad=True)
    y = w.exp()
    y += 1
    y.sum().backward()
`

// Pytest with our plugin fails the tests in which gradtui finds something, says what, and keeps
// their tapes. Tracebacks are those without it.
func TestPytestFailsTestsForWhatIsFound(t *testing.T) {
	python, env := importing(t)
	if err := exec.Command(python, "-m", "pytest", "--version").Run(); err != nil {
		require.Missing(t, "torch", "there is no pytest in "+python)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "test_model.py"), []byte(testedModel), 0o600); err != nil {
		t.Fatal(err)
	}
	pytest := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), python, append([]string{"-m", "pytest", "-p", "no:cacheprovider", "-p", "gradtui.pytest_plugin", "-rA", "--tb=short"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	with := pytest("--gradtui", "--gradtui-fail-on", "warning", "--gradtui-tapes", "tapes")
	for _, want := range []string{
		"the test passes, but", "warning[grad-none-not-leaf]: `w`", "error[inplace-saved-tensor]: `y`", "\nPASSED test_model.py::test_fine\n",
		"\nPASSED test_model.py::test_expects_the_error\n", "\nFAILED test_model.py::test_finds_no_gradient", "\nPASSED test_model.py::test_ignored\n",
		"\nPASSED test_model.py::test_left_out\n", "\nFAILED test_model.py::test_fails_by_itself - RuntimeError",
	} {
		if !strings.Contains(with, want) {
			t.Errorf("pytest does not say %q:\n%s", want, with)
		}
	}
	tapes, err := filepath.Glob(filepath.Join(dir, "tapes", "*"))
	if err != nil || len(tapes) != 5 { // one test is not recorded
		t.Error(tapes, err)
	}
	frames := func(out string) (lines []string) {
		for line := range strings.Lines(out) {
			if strings.Contains(line, ".py:") && strings.Contains(line, ": in ") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if diff := cmp.Diff(frames(pytest()), frames(with)); diff != "" {
		t.Errorf("the plugin changes tracebacks (-without +with):\n%s", diff)
	}
}

// The fixtures of a test and what its module holds are named when they are met.
func TestPytestNamesFixtures(t *testing.T) {
	python, env := importing(t)
	if err := exec.Command(python, "-m", "pytest", "--version").Run(); err != nil {
		require.Missing(t, "torch", "there is no pytest in "+python)
	}
	dir := t.TempDir()
	const tested = `import pytest, torch

offset = torch.ones(3)

@pytest.fixture
def layer():
    return torch.nn.ModuleDict({"inner": torch.nn.Linear(3, 3, bias=False)})

class TestLayer:
    target = torch.ones(3)

    def setup_method(self):
        self.batch = torch.ones(3)

    def test_layer(self, layer, request):
        y = self.batch @ layer["inner"].weight + offset
`
	if err := os.WriteFile(filepath.Join(dir, "test_layer.py"), []byte(tested), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-m", "pytest", "-p", "no:cacheprovider", "-p", "gradtui.pytest_plugin", "--gradtui", "--gradtui-tapes", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tapes, err := filepath.Glob(filepath.Join(dir, "*.tape"))
	if err != nil || len(tapes) != 1 {
		t.Fatal(tapes, err)
	}
	scope := "test_layer:"
	want := []string{"TestLayer." + scope + "self.batch", "TestLayer." + scope + "layer.inner.weight", scope + "offset"}
	if diff := cmp.Diff(want, existing(t, tapes[0])); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
