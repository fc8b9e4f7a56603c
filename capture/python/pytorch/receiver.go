package pytorch

import (
	"context"
	"errors"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/scratch"
)

// A Receiver waits for a program that gradtui did not start: one that runs on PyTorch and
// calls gradtui.record() or gradtui.attach() of the Python package gradtui.
type Receiver struct{ recorder *recorder }

// NewReceiver makes a private folder, whose name a program gets in some other way.
func NewReceiver() (*Receiver, error) {
	r, err := listen(scratch.Make)
	if err != nil {
		return nil, err
	}
	return &Receiver{r}, nil
}

// ReceiveIn makes such a folder in another one; its name begins with the prefix.
func ReceiveIn(folder, prefix string) (*Receiver, error) {
	r, err := listen(func(what string, fill func(dir string) error) (*scratch.Folder, error) {
		return scratch.In(folder, prefix, fill)
	})
	if err != nil {
		return nil, err
	}
	return &Receiver{r}, nil
}

// Folder is where the program has to connect.
func (r *Receiver) Folder() string { return r.recorder.folder.Path }

// Close frees what the receiver holds.
func (r *Receiver) Close() { r.recorder.Close() }

// A Guest is a program that has connected.
type Guest struct {
	Process int
	// Args are the program and its arguments. In a notebook they are the arguments of
	// the process that runs it.
	Args []string

	recorder *recorder
	greeting greeting
}

// Accept waits for a program. Cancelling the context ends that.
func (r *Receiver) Accept(ctx context.Context) (*Guest, error) {
	defer context.AfterFunc(ctx, r.recorder.Stop)()
	if err := r.recorder.accept(); err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	g, err := r.recorder.greeted()
	if err != nil {
		r.recorder.conn.Close()
		return nil, err
	}
	return r.recorder.guest(g), nil
}

func (r *recorder) guest(g greeting) *Guest {
	return &Guest{Process: g.process, Args: g.args, recorder: r, greeting: g}
}

// Info is what a tape of the program says about it.
func (g *Guest) Info() graph.Info { return g.greeting.info() }

// Record takes what the program does until it says goodbye or is gone, or until the context
// is cancelled: then the program goes on without us. The error says what is missing on the
// tape. session, if it is not nil, controls the program.
func (g *Guest) Record(ctx context.Context, tape *graph.Tape, session *control.Session) error {
	r := g.recorder
	if session != nil {
		defer session.End()
		gate, err := session.Gate()
		if err != nil {
			return err
		}
		r.Gate = gate
	}
	r.tape = tape
	defer context.AfterFunc(ctx, r.Stop)()
	return r.record(g.greeting)
}
