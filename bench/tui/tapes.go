package main

import (
	"bufio"
	"os"
	"path/filepath"

	ag "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	"github.com/gradtui/gradtui/autograd/optim"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// A testCase is a program whose tape is opened.
type testCase struct {
	name string
	run  func(tape *graph.Tape) error
}

// cases begin with the smallest, to which the others are compared.
var cases = []testCase{
	{"10 nodes", func(*graph.Tape) error { return chain(10) }},
	{"chain of 100,000 nodes", func(*graph.Tape) error { return chain(100_000) }},
	{"10,000 edges into a node", func(*graph.Tape) error { return fanIn(10_000) }},
	{"1,000,000 events", training(1_000_000)},
}

func chain(nodes int) error {
	x := ag.New([]float64{1, 2, 3, 4}, ag.RequiresGrad)
	y := x
	for range nodes - 1 {
		y = y.Mul(1.0001)
	}
	loss := y.Sum()
	return loss.Backward()
}

func fanIn(edges int) error {
	w := ag.New([]float64{1, 2}, ag.RequiresGrad)
	parts := make([]*ag.Tensor, edges)
	for i := range parts {
		parts[i] = w.Mul(i)
	}
	loss := ag.Cat(parts).Sum()
	return loss.Backward()
}

// training runs until the tape is as long as asked for.
func training(events int) func(*graph.Tape) error {
	return func(tape *graph.Tape) error {
		ag.ManualSeed(0)
		net := nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
		sgd, err := optim.NewSGD(net.Parameters(), optim.LR(0.01))
		if err != nil {
			return err
		}
		x, want := ag.Rand([]int{16, 4}), ag.Rand([]int{16, 1})
		for int(tape.Len()) < events {
			if err := sgd.ZeroGrad(); err != nil {
				return err
			}
			loss := nn.MSELoss().Forward(net.Forward(x), want)
			if err := loss.Backward(); err != nil {
				return err
			}
			if err := sgd.Step(); err != nil {
				return err
			}
		}
		return nil
	}
}

// files are a tape on disk, and its text form.
type files struct{ tape, text string }

// record runs the program and writes its tape into a directory.
func (c testCase) record(dir string) (files, error) {
	f := files{tape: filepath.Join(dir, "case.tape"), text: filepath.Join(dir, "case.txt")}
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, os.ReadFile, func() error { return c.run(tape) }); err != nil {
		return f, err
	}
	os.Remove(f.tape) // of the case before
	w, err := tapefile.Create(f.tape, tape.Info(), tapefile.WriterOptions{})
	if err != nil {
		return f, err
	}
	if err := w.Flush(tape); err != nil {
		return f, err
	}
	if err := w.Close(); err != nil {
		return f, err
	}
	return f, writeText(f.text, tape)
}

func writeText(path string, tape *graph.Tape) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	if err := tapefile.WriteText(out, tape); err != nil {
		return err
	}
	return out.Flush()
}
