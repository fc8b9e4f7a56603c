//go:build unix

package python

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// TestLeavesThatGraphsKeepAliveGoWithThem drops leaves that can be noticed, in a graph that goes
// and in a tensor that lives on without it, and looks at what is there after 1,000 and after
// 10,000 iterations.
func TestLeavesThatGraphsKeepAliveGoWithThem(t *testing.T) {
	run, out := ran(t, &Program{}, `
import gc, sys, weakref
import torch
from torch import _kept, _objects

def look():
    gc.collect()
    return len(_kept._watched), len(_objects.objects), len(gc.get_objects()), sys.getallocatedblocks()

w = torch.ones(2, requires_grad=True)
buffer = torch.zeros(2)
for i in range(10000):
    x = torch.ones(2, requires_grad=True)
    x.tag = "tag"
    known = weakref.ref(x)
    y = (x * w).sum()
    del x
    if known() is None:
        print("gone before its graph", i)
    y.backward()
    del y
    if known() is not None:
        print("there after its graph", i)
    x = torch.ones(2, requires_grad=True)
    x.tag = "tag"
    buffer.add_(x)
    del x
    buffer.detach_()
    if i == 999:
        early = look()
late = look()
grown = [b - a for a, b in zip(early, late)]
if max(grown[:3]) > 4 or grown[3] > 200:
    print("grown", early, late)
if len(_kept._kept) > 4:
    print("kept", len(_kept._kept))
`)
	if out != "" {
		t.Error(out)
	}
	alive := map[graph.TensorID]bool{}
	for p := range run.Tape.Len() {
		switch _, e, _ := run.Tape.At(p); e := e.(type) {
		case *graph.TensorCreated:
			alive[e.Tensor] = true
		case *graph.TensorReleased:
			delete(alive, e.Tensor)
		}
	}
	// Gradients that the program never had, one for each iteration, are not released.
	if n := len(alive); n > 10_100 {
		t.Errorf("%d tensors are not released on the tape", n)
	}
}

// TestConversionsLeaveNoCycles looks for garbage that only the collector of cycles can find.
func TestConversionsLeaveNoCycles(t *testing.T) {
	_, out := ran(t, &Program{}, `
import gc
import torch

def convert(x):
    x.to(torch.float64)
    x.to("cpu", dtype=torch.int32)
    torch.zeros(2).set_(x.clone())

x = torch.ones(2)
convert(x)
gc.collect()
gc.disable()
for i in range(3):
    convert(x)
if n := gc.collect():
    print(n, "objects were in cycles")
`)
	if out != "" {
		t.Error(out)
	}
}
