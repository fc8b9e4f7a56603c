package main

import (
	"os"
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
		{[]string{goes, "--at", "end", "--do", "x = 1"}, "apply only to Python programs"},
	} {
		code, said := did(t, "", append([]string{"fork", "--engine", "builtin"}, c.args...)...)
		if code != cli.ExitFailed || !strings.Contains(said, c.want) {
			t.Errorf("%v: %d, want %q\n%s", c.args, code, c.want, said)
		}
	}
}
