//go:build unix

package python

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/control"
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

// The first call of a kind is waited for, the next one is sent in a short message.
func TestShortMessagesCarryTheSame(t *testing.T) {
	_, out := ran(t, &Program{}, `
import math, torch
from torch import _engine
short = []
send = _engine.post_short
def counting(*a):
    short.append(a[1])
    return send(*a)
_engine.post_short = counting
f, i = torch.tensor([1.5, -2.0]), torch.tensor([3, -4])
twice = lambda call: [repr(call()) for _ in range(3)]
numbers = [0.0, -0.0, 1e-300, 0.1, math.inf, -math.inf, math.nan, 0, -1, 2**31, 2**53, 2**53 + 1, -2**62, True, False]
for x in (f, i):
    for n in numbers:
        for call in (lambda: x * n, lambda: n - x, lambda: x.eq(n), lambda: torch.full_like(x, n)):
            try:
                a, b, c = twice(call)
            except (RuntimeError, OverflowError) as e:
                a = b = c = type(e).__name__
                try:
                    call()
                    b = "no error"
                except (RuntimeError, OverflowError) as again:
                    b = type(again).__name__
            if not a == b == c:
                print("%r with %r: %s, then %s, then %s" % (x, n, a, b, c))
    for call in (lambda: x.abs(), lambda: x.sum(), lambda: x.sum(None), lambda: x.clamp(None, 2), lambda: x * x, lambda: x + f):
        a, b, c = twice(call)
        if not a == b == c:
            print(a, b, c)
print(len(set(short)) > 6)
`)
	if want := "True\n"; out != want {
		t.Errorf("printed:\n%s", out)
	}
}

func TestTensorsThatAreGivenUpTogetherAreReleasedInTheirOrder(t *testing.T) {
	run, out := ran(t, &Program{}, `
import torch
x = torch.ones(2)
for n in (0, 1, 2, 3, 4, 5, 9):
    for _ in range(4):
        kept = [x * float(i) for i in range(n)]
        kept.reverse()  # a list drops its last element first
        kept.clear()
        y = x + 1.0
print(y.tolist())
`)
	if out != "[2.0, 2.0]\n" {
		t.Error(out)
	}
	created, released, last := map[graph.TensorID]bool{}, 0, graph.TensorID(0)
	for p := range run.Tape.Len() {
		switch _, e, _ := run.Tape.At(p); e := e.(type) {
		case *graph.TensorCreated:
			created[e.Tensor] = true
		case *graph.TensorReleased:
			if !created[e.Tensor] {
				t.Errorf("tensor %d is released, but there is none", e.Tensor)
			}
			if e.Tensor < last {
				t.Errorf("tensor %d is released after %d", e.Tensor, last)
			}
			last = e.Tensor
			released++
			delete(created, e.Tensor)
		case *graph.OpRan:
			last = 0
		}
	}
	if want := 4*(1+2+3+4+5+9) + 4*7 - 1; released < want {
		t.Errorf("%d tensors are released, not %d", released, want)
	}
}

// A prediction that is wrong is an internal error at the next call with a reply.
func TestMethodsThatChangeTensorsAreForeseenAndSucceed(t *testing.T) {
	_, out := ran(t, &Program{}, `
import torch
from torch import _engine
asked = []
ask = _engine._ask
def asking(sent, function, *rest):
    asked.append(function)
    return ask(sent, function, *rest)
_engine._ask = asking
make = {
    torch.float32: lambda: torch.randn(2, 2),
    torch.int64: lambda: torch.randint(0, 3, (2, 2)),
    torch.bool: lambda: torch.rand(2, 2) > 0.5,
}
foreseen = set()
with torch.no_grad():
    for name in dir(torch.Tensor):
        if not name.endswith("_") or name.startswith("_") or name in ("apply_", "map_", "map2_"):
            continue
        method = getattr(torch.Tensor, name)
        for own in make.values():
            for other in make.values():
                for arguments in (lambda: (), lambda: (other(),), lambda: (0,), lambda: (-1.5,), lambda: (other(), other()), lambda: (other(), 0.5)):
                    try:
                        for _ in range(4):
                            x, rest = own(), arguments()
                            del asked[:]
                            method(x, *rest)
                            if not asked:
                                foreseen.add(name)
                            if rest and isinstance(rest[0], torch.Tensor):
                                method(x, x, *rest[1:])
                    except (RuntimeError, TypeError, IndexError, ValueError) as e:
                        if "internal error" in str(e):
                            raise
        torch.ones(1).item()
print(*sorted(foreseen.intersection(("add_", "addcmul_", "ceil_", "eq_", "logical_and_", "lerp_", "pow_", "index_fill_", "random_"))))
`)
	if want := "add_ addcmul_ ceil_ eq_ lerp_ logical_and_ pow_\n"; !strings.HasSuffix(out, want) || strings.Contains(out, "internal error") {
		t.Errorf("it printed\n%s\nnot\n%s", out, want)
	}
}

// A tensor that has views is waited for when it begins to require grad: what may be done with
// the views is decided then.
func TestRequiringGradIsForeseenForTensorsWithoutViews(t *testing.T) {
	_, out := ran(t, &Program{}, `
import torch
from torch import _engine
asked = []
ask = _engine._ask
def asking(sent, function, *rest):
    asked.append(next(k for k, n in _engine.numbers.items() if n == function))
    return ask(sent, function, *rest)
_engine._ask = asking
zeros = torch.zeros(4)
for _ in range(3):
    del asked[:]
    x = zeros * 2.0
    x.requires_grad_()
    y = zeros * 2.0
    y.requires_grad = True
    z = (x * y).detach().requires_grad_(True)
print(asked[:], x.requires_grad, y.requires_grad, z.requires_grad, z.is_leaf)
for _ in range(3):
    base = zeros * 2.0
    whole = base.view(2, 2)
    first, second = whole.unbind()
    product = first * 2.0
    base.requires_grad_()
    try:
        first.mul_(2.0)
        print("no error")
    except RuntimeError as e:
        print(str(e)[:40])
    del asked[:]
    base.requires_grad = True
    print(asked)
whole = torch.arange(3) * 1
try:
    whole.requires_grad_()
except RuntimeError as e:
    print(e)
`)
	want := "[] True True True True\n" + strings.Repeat("A view was created in no_grad mode and i\n['set.requires_grad']\n", 3) +
		"only Tensors of floating point dtype can require gradients\n"
	if out != want {
		t.Errorf("printed:\n%s", out)
	}
}

func TestSignalHandlersComeBetweenMessages(t *testing.T) {
	_, out := ran(t, &Program{}, `
import signal, torch
one = torch.ones(2)
seen = torch.zeros(2)
handled, inside = 0, False
def handler(*_):
    global seen, handled, inside
    if not inside:
        inside = True
        seen = seen + one * 1.0
        handled += 1
        if handled % 5 == 0:
            seen.tolist()
        inside = False
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.002)
x = torch.zeros(2)
for i in range(20000):
    x = x + 1.0
    if i % 500 == 0:
        x.tolist()
signal.setitimer(signal.ITIMER_REAL, 0)
print(x.tolist(), seen.tolist() == [float(handled)] * 2)
`)
	if want := "[20000.0, 20000.0] True\n"; out != want {
		t.Errorf("printed:\n%s", out)
	}
}

func TestASignalHandlerMayUseTheEngineWhileTheProgramSleeps(t *testing.T) {
	_, out := ran(t, &Program{}, `
import signal, torch
handled = []
signal.signal(signal.SIGALRM, lambda *_: handled.append(torch.ones(2).sum().item()))
a = torch.eye(500)
while not handled:
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    b = a
    for _ in range(10):
        b = b @ a
    print(b.sum().item())
`)
	if !strings.HasPrefix(out, "500.0\n") || strings.Trim(out, "50.\n") != "" {
		t.Errorf("printed:\n%s", out)
	}
}
