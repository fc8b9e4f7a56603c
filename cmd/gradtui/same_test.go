//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// buggy are tests with a bug each. None needs anything but torch, so that the built-in engine
// runs them, too.
const buggy = `import contextlib
import unittest

import torch


def saved_and_changed():
    w = torch.ones(3, requires_grad=True)
    y = w.exp()
    y += 1
    return w, y.sum()


def test_caught():
    w, loss = saved_and_changed()
    try:
        loss.backward()
    except RuntimeError:
        pass


def test_caught_and_went_on():
    w, loss = saved_and_changed()
    try:
        loss.backward()
    except RuntimeError:
        w.exp().sum().backward()


def test_asserted():
    w, loss = saved_and_changed()
    with unittest.TestCase().assertRaises(RuntimeError):
        loss.backward()


def test_asserted_of_a_call():
    w, loss = saved_and_changed()
    unittest.TestCase().assertRaises(RuntimeError, loss.backward)


def test_suppressed():
    w, loss = saved_and_changed()
    with contextlib.suppress(RuntimeError):
        loss.backward()


def test_second_backward():
    w = torch.ones(3, requires_grad=True)
    loss = w.exp().sum()
    loss.backward()
    loss.backward()


def test_not_a_leaf():
    w = torch.ones(3, requires_grad=True).to(torch.float64)
    w.sum().backward()
    w.grad


def test_nothing_is_cleared():
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        loss = model(torch.ones(2, 3)).pow(2).mean()
        loss.backward()
        optimizer.step()


def test_losses_are_kept():
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0
    for _ in range(6):
        optimizer.zero_grad()
        loss = model(torch.ones(2, 3)).pow(2).mean()
        loss.backward()
        optimizer.step()
        total += loss
`

var (
	testNames   = regexp.MustCompile(`(?m)^def (test_\w+)`)
	foundInText = regexp.MustCompile(`(?m)^(error|warning|hint)\[([\w-]+)\]:(?s:.*?)--> .*?(\w+\.py):(\d+)`)
)

// answers lists the findings of a report: severity, code and the line to change.
func answers(text string) (list []string) {
	for _, m := range foundInText.FindAllStringSubmatch(text, -1) {
		list = append(list, fmt.Sprintf("%s %s %s:%s", m[1], m[2], m[3], m[4]))
	}
	return list
}

// The command says the same on both engines as gradtui.check(), the plugin of pytest and the
// debugger.
func TestTheFindingsAreTheSameEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts Python many times")
	}
	python, env := importing(t)
	if err := exec.Command(python, "-m", "pytest", "--version").Run(); err != nil {
		require.Missing(t, "torch", "there is no pytest in "+python)
	}
	dir := t.TempDir()
	var tests []string
	for _, m := range testNames.FindAllStringSubmatch(buggy, -1) {
		tests = append(tests, m[1])
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("bugs.py", buggy)
	write("within.py", `import sys, gradtui, bugs
for name in sys.argv[1:]:
    print("====", name)
    findings = None
    try:
        with gradtui.check(fail_on="hint") as findings:
            getattr(bugs, name)()
    except (RuntimeError, gradtui.FindingsError) as error:
        pass
    print(findings)
print("====")
`)
	runs := func(command string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), command, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	within := runs(python, append([]string{"within.py"}, tests...)...)
	plugin := runs(python, "-m", "pytest", "-p", "no:cacheprovider", "-p", "gradtui.pytest_plugin", "--tb=short",
		"--gradtui", "--gradtui-fail-on", "hint", "--gradtui-tapes", "tapes", "bugs.py")
	for _, name := range tests {
		write(name+".py", "import bugs\nbugs."+name+"()\n")
		self := strings.TrimPrefix(env[0], "GRADTUI=")
		command := answers(runs(self, "check", "--engine", "torch", "--python", python, "--fail-on", "hint", name+".py"))
		if len(command) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
		for _, other := range []struct {
			name string
			says []string
		}{
			{"the built-in engine", answers(runs(self, "check", "--engine", "builtin", "--fail-on", "hint", name+".py"))},
			{"check()", answers(between(within, "==== "+name+"\n", "===="))},
			{"pytest", answers(between(plugin, "_ "+name+" _", "\n____"))},
		} {
			if diff := cmp.Diff(command, other.says); diff != "" {
				t.Errorf("%s (-the command +%s):\n%s", name, other.name, diff)
			}
		}
	}
	s := tuitest.Start(t, standard, "gradtui", "open", filepath.Join(dir, "tapes", "bugs.py-test_caught.tape"))
	s.Until("✗ inplace-saved-tensor")
	s.Type("Q")
	s.Exit(0)
}

// between returns the text between two others; "" if the first is not there.
func between(text, first, last string) string {
	_, rest, _ := strings.Cut(text, first)
	part, _, _ := strings.Cut(rest, last)
	return part
}
