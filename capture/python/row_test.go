//go:build unix

package python

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// ran runs a Python program; out is what it printed.
func ran(t *testing.T, p *Program, source string) (run *Run, out string) {
	t.Helper()
	requirePython(t)
	p.Path = filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(p.Path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	p.Stdout, p.Stderr = &stdout, &stderr
	run, err := p.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if run.Damaged != nil {
		t.Errorf("%v\n%s", run.Damaged, &stderr)
	}
	return run, stdout.String() + stderr.String()
}

// operations counts the operations with a name on a tape.
func operations(tape *graph.Tape, name string) (n int) {
	for p := range tape.Len() {
		_, e, _ := tape.At(p)
		if op, ok := e.(*graph.OpRan); ok && tape.String(op.Op) == name {
			n++
		}
	}
	return n
}

func TestWhatAKilledProgramDidNotWaitForIsOnTheTape(t *testing.T) {
	run, out := ran(t, &Program{}, `
import os, signal, torch
x = torch.ones(2)
for _ in range(500):
    y = x * 2.0
os.kill(os.getpid(), signal.SIGKILL)
`)
	if n := operations(run.Tape, "mul"); n != 500 || run.ExitCode != 137 {
		t.Errorf("%d operations are on the tape, exit code %d\n%s", n, run.ExitCode, out)
	}
}

func TestARowOfMessagesMayBeLong(t *testing.T) {
	_, out := ran(t, &Program{}, `
import torch
from torch import _channel
waits = []
exchange = _channel._exchange
_channel._exchange = lambda *a: waits.append(len(a[0])) or exchange(*a)
x, kept = torch.zeros(1), []
for i in range(20000):
    x = x + 1.0
    kept.append(x)
    if i % 3000 == 0:
        del kept[:]
        y = torch.tensor([float(i)] * 700000) * 2.0
print(x.item(), y[0].item(), len(kept))
print(max(waits) == _channel.PIECE, len(waits) < 200)
`)
	if want := "20000.0 36000.0 1999\nTrue True\n"; out != want {
		t.Errorf("printed %q, want %q", out, want)
	}
}

func TestAWrongExpectationIsAnErrorOfTheNextCallThatIsAnswered(t *testing.T) {
	_, out := ran(t, &Program{}, `
import torch
from torch._engine import learned
x = torch.ones(2)
y = x * 2.0
z = torch.ones(3)
for key in learned:
    if learned[key] == x._m:
        learned[key] = z._m
y = x * 2.0
try:
    y.item()
except RuntimeError as e:
    print(str(e).split("\n")[0])
`)
	if !strings.HasPrefix(out, "gradtui: internal error: Tensor.__mul__: ") {
		t.Error(out)
	}
}

func TestAProgramThatMayBeStoppedWaitsForEveryOperation(t *testing.T) {
	s := control.NewSession(control.Command{})
	_, out := ran(t, &Program{Session: s}, `
import torch
from torch._engine import learned
x = torch.ones(2)
for _ in range(3):
    y = x * 2.0
print(learned)
`)
	if out != "{}\n" {
		t.Error(out)
	}
}

func TestMessagesAreReadInARow(t *testing.T) {
	c, err := newChannel()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	program, err := net.Dial("unix", filepath.Join(c.dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.accept(); err != nil {
		t.Fatal(err)
	}
	var end int
	put := func(n int64) {
		message := marshal.AppendInt(nil, n)
		end += copy(c.memory[headerBytes+end:], message)
		c.store(wordLength, uint64(end))
		c.store(wordRequest, c.load(wordRequest)+1)
	}
	want := func(n int, waits bool) {
		t.Helper()
		data, err := c.next()
		if err != nil {
			t.Fatal(err)
		}
		var d marshal.Decoder
		d.Reset(data, nil)
		if got, err := d.Int(); got != n || err != nil {
			t.Errorf("message %d is %d, %v", n, got, err)
		}
		if waits {
			err = c.reply(replyNone, 0, nil)
			end = 0
		} else {
			c.done(d.Rest())
		}
		if err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		put(1)
		put(2)
		want(1, false)
		put(3)
		want(2, false)
		want(3, true)
	}
	put(4)
	put(5)
	program.Close()
	want(4, false)
	want(5, false)
	if _, err := c.next(); err == nil {
		t.Error("a message came from a program that has ended")
	}
}

func TestAForkedProcessIsToldAlsoByAForeseenCall(t *testing.T) {
	_, out := ran(t, &Program{}, `
import os, torch
x = torch.ones(2)
for _ in range(3):
    y = x * 2.0
if os.fork() == 0:
    try:
        x * 2.0
    except RuntimeError as e:
        print(str(e)[:36], flush=True)
    os._exit(0)
os.wait()
print((x * 2.0).tolist())
`)
	if want := "gradtui's built-in engine serves one\n[2.0, 2.0]\n"; out != want {
		t.Errorf("printed:\n%s", out)
	}
}
