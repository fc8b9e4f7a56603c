package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

// slow trains with a learning rate that is too small.
const slow = `import torch
torch.manual_seed(0)
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.0)
def train():
    for step in range(4):
        opt.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        opt.step()
train()
`

func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A fork changes the learning rate behind the second of four passes: steps of 0.25 halve the weights.
func TestAForkIsTheSameRunUpToItsChange(t *testing.T) {
	file := written(t, "slow.py", slow)
	tape := filepath.Join(t.TempDir(), "first.tape")
	for engine, flags := range map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	} {
		change := append([]string{"fork", file, "--at", "backward:2+end", "--set", "opt.lr = 0.25"}, flags...)
		code, said := did(t, "", change...)
		if code != cli.ExitOK || !regexp.MustCompile(`first run +4 +5 +▅▅▅▅\nchanged run +4 +0.312 +██▅▁`).MatchString(said) {
			t.Errorf("%s: %d\n%s", engine, code, said)
		}
		if !strings.Contains(said, "gone: warning zero-learning-rate") || !strings.Contains(said, "findings: 1 gone, 0 new") {
			t.Errorf("%s: the finding is not gone:\n%s", engine, said)
		}
		if code, said := did(t, "", append([]string{"record", file, "-f", "-o", tape}, flags...)...); code != cli.ExitOK {
			t.Fatal(said)
		}
		if code, said := did(t, "", append(change, "--from", tape)...); code != cli.ExitOK || !strings.Contains(said, "changed run  ") {
			t.Errorf("%s, from a tape: %d\n%s", engine, code, said)
		}
	}
}

// In the debugger the fork is a run beside the first one, and what its values are is said.
func TestAForkIsComparedInTheDebugger(t *testing.T) {
	file := written(t, "slow.py", slow)
	lines := "c\ngoto backward:2\nset opt.lr = 0.25\ngoto backward:4\nwhat differs\nforks 1 fast\na\np inspector\nlosses\n"
	for engine, flags := range map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	} {
		c := exec.CommandContext(t.Context(), "gradtui", append([]string{"run", "--plain-ui", "--no-session", file}, flags...)...)
		c.Stdin = strings.NewReader(lines)
		out, err := c.Output() // it starts itself again
		said := string(out)
		if err != nil {
			t.Fatalf("%s: %v\n%s", engine, err, said)
		}
		for _, want := range []string{
			"changed run 4 0.3",
			"losses of first run: 5, 5, 5, 5",
			"losses of fork 1: 5, 5, 1.25, 0.3125",
			"What differs at A fork 1 event ",
			"tensor w: [0.25, 0.5] at A, [1, 2] at B, |a-b|/|a| 3",
			"losses of fast: 5, 5, 1.25, 0.3125",
		} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is missing:\n%s", engine, want, said)
			}
		}
	}
}

// An edited line is of the program that runs, not of its file. So is a line of a module beside the program.
func TestAForkRunsWithAnEditedLine(t *testing.T) {
	dir := t.TempDir()
	texts := map[string]string{
		"train.py": strings.Replace(strings.Replace(slow, "(w * w).sum()", "loss_of(w)", 1), "import torch\n", "import torch\nfrom model import loss_of\n", 1),
		"model.py": "def loss_of(w):\n    return (w * w).sum()\n",
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "train.py")
	for engine, flags := range map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	} {
		for _, c := range []struct {
			edits []string
			want  []string
		}{
			{[]string{"train.py:5=opt = torch.optim.SGD([w], lr=0.25)"}, []string{
				"train.py:5, in this run only\n  - opt = torch.optim.SGD([w], lr=0.0)\n  + opt = torch.optim.SGD([w], lr=0.25)\n",
				"differ from there: event ", "rates=[0.25]", "changed run       4     0.0781", "gone: warning zero-learning-rate",
			}},
			{[]string{"model.py:2=return (w * w).sum() * 2", "train.py:5=opt = torch.optim.SGD([w], lr=0.0) "}, []string{
				"model.py:2, in this run only\n  - return (w * w).sum()\n  + return (w * w).sum() * 2\n", "changed run       4         10",
			}},
			{[]string{"train.py:3=torch.manual_seed(0);"}, []string{"both runs are the same, event by event"}},
		} {
			args := append([]string{"fork", file}, flags...)
			for _, e := range c.edits {
				args = append(args, "--edit", e)
			}
			code, said := did(t, "", args...)
			for _, want := range c.want {
				if code != cli.ExitOK || !strings.Contains(said, want) {
					t.Errorf("%s, %v: %d, want %q\n%s", engine, c.edits, code, want, said)
				}
			}
		}
	}
	for name, text := range texts {
		if now, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(now) != text {
			t.Errorf("%s was changed: %v\n%s", name, err, now)
		}
	}
}

func TestAForkThatCannotBeSaysWhy(t *testing.T) {
	file := written(t, "slow.py", slow)
	other := written(t, "other.py", strings.Replace(slow, "2.0", "__import__('time').time() % 1", 1))
	goes := written(t, "train.go", "package main\nfunc main() {}\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{file, "--at", "backward:2", "--do", "nothing.here = 1"}, "the change failed: NameError"},
		{[]string{file, "--at", "backward:2", "--do", "x ="}, "the change failed: SyntaxError"},
		{[]string{file, "--at", "backward:9", "--do", "x = 1"}, "4 backward passes were recorded"},
		{[]string{other, "--at", "backward:2", "--do", "x = 1"}, "not the same as the first one: event "},
		{[]string{file, "--do", "x = 1"}, "missing --at"},
		{[]string{file, "--at", "end"}, "give the change"},
		{[]string{file, "--at", "end", "--set", "opt.lr"}, "is not an assignment"},
		{[]string{file, "--at", "end", "--edit", "slow.py:3=x = 1"}, "leave --at out"},
		{[]string{file, "--edit", "x = 1"}, "is not an edit"},
		{[]string{file, "--edit", "slow.py:99=x = 1"}, "slow.py has no line 99"},
		{[]string{file, "--edit", "no.py:1=x = 1"}, "no file of the program is called no.py"},
		{[]string{file, "--edit", "slow.py:3=x = 1\ny = 2"}, "an edit is of one line"},
		{[]string{goes, "--at", "end", "--do", "x = 1"}, "apply only to Python programs"},
	} {
		code, said := did(t, "", append([]string{"fork", "--engine", "builtin"}, c.args...)...)
		if code != cli.ExitFailed || !strings.Contains(said, c.want) {
			t.Errorf("%v: %d, want %q\n%s", c.args, code, c.want, said)
		}
	}
}
