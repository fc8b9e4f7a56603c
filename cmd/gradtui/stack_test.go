//go:build unix

package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

// asks stops at mul, in a function with variables.
const asks = `import torch


def spin():
    while True:
        pass


def scaled(w, factor):
    text = "\x1b]0;owned\x07"
    return (w * factor).sum()


w = torch.ones(2, requires_grad=True)
for i in range(3):
    loss = scaled(w, i + 2)
    loss.backward()
print("w is", w.tolist(), "and its gradient", w.grad.tolist())
`

// The program is asked where it stands: for variables, for expressions, again and again.
func TestTheProgramIsAskedWhereItStands(t *testing.T) {
	s := debugging(t, tuitest.Terminal{Columns: 120, Rows: 40, Env: []string{"XDG_STATE_HOME=" + t.TempDir()}}, asks)
	line := func(text, want string) {
		t.Helper()
		s.Type(text)
		s.Keys("enter")
		s.Until(want)
	}
	line(":break op mul", "breakpoint 1: op mul")
	s.Type("c")
	s.Until("stopped at a breakpoint")
	s.Type("8")
	s.Until("▸ scaled  prog.py:11")
	s.Keys("enter")
	s.Until("factor = 2")
	s.Until(`text = '\x1b]0;owned\x07'`)
	line(":watch i", "1 i = 0")
	line(":p w * factor", "float32 [2], requires grad, [2, 2]")
	line(":p w.data.zero_()", "refused: zero_ would change the program")
	line(":p spin()", "asking the program")
	s.Type("i")
	s.Until("interrupted")
	line(":p! factor = 10", "recorded as a part of the run")
	s.Type("c")
	s.Until("≠ 1 i = 1")
	line(":clear", "all breakpoints are cleared")
	s.Type("c")
	s.Until("the program has ended")
	line(":p w", "the program has ended: only a live one evaluates expressions")
	s.Type("6")
	s.Until("w is [1.0, 1.0] and its gradient [9.0, 9.0]")
	s.Type("q")
	s.Exit(0)
}

func TestTheProgramIsAskedInLines(t *testing.T) {
	command := exec.Command("gradtui", "run", "--plain-ui", programFile(t, asks))
	command.Env = append(command.Environ(), "XDG_STATE_HOME="+t.TempDir())
	command.Stdin = strings.NewReader(`break op mul
c
p w * factor
print (lambda: factor)()
p stack
stack
locals
locals 2
watch i
c
stack
p! factor = 10
p factor
clear
c
print w
`)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rest := string(out)
	for _, want := range []string{
		"w * factor = float32 [2], requires grad, [2, 2].", "(lambda: factor)() = 2.",
		"Stack: 2 frames, the program waits; :p EXPR asks it.", "scaled prog.py:11", "<module> prog.py:16",
		"scaled prog.py:11", "w = float32 [2], leaf, requires grad, [1, 1]", "factor = 2", "text = '\\x1b]0;owned\\x07'",
		"i = 0", "changed: 1 i = 1", "factor = 3", "done; this was recorded", "factor = 10.", "the program has ended: only a live one",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("no %q in\n%s\nof\n%s", want, rest, out)
		}
		rest = after
	}
}
