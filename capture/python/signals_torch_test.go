package python_test

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// interrupted is a program whose signal handler raises an exception at 300 places, also of
// functions of the recorder, of modules, hooks and backward passes.
const interrupted = `
import signal, torch

class Timeout(Exception): pass

def handler(number, frame):
    if armed:
        raise Timeout

armed = False
net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
x = torch.ones(4, 3, requires_grad=True)
w = torch.ones(3, requires_grad=True)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
times = 0
while times < 300:
    try:
        armed = True
        while True:
            y = (w * 2).sum() + x[times % 4].exp().mean()
            y.register_hook(lambda g: g * 1)
            torch.zeros(3).add_(times)
            (net(x).sum() + y).backward()
    except Timeout:
        armed = False
        times += 1
signal.setitimer(signal.ITIMER_REAL, 0)
v = torch.ones(2, requires_grad=True)
for i in range(20):
    (v * 3).sum().backward()
print(times, v.grad.tolist(), signal.getsignal(signal.SIGALRM) is handler)
`

// TestSignalHandlersThatRaiseLeaveAWholeTape: what happens after them is recorded, and
// nothing on the tape contradicts itself.
func TestSignalHandlersThatRaiseLeaveAWholeTape(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, interrupted)
		for _, problem := range graph.Validate(tape, 10) {
			t.Error(problem)
		}
		began, over, last := 0, 0, 0
		eachEvent(tape, func(e graph.Event) {
			switch e.(type) {
			case *graph.BackwardBegan:
				began++
			case *graph.BackwardEnded:
				over++
				last++
			case *graph.BackwardFailed:
				over++
				last = 0
			}
		})
		if began != over || last < 20 {
			t.Errorf("%d backward passes began, %d are over; %d after the last that failed, want 20 or more", began, over, last)
		}
	})
}
