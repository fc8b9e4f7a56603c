package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/scratch"
)

// A Receiver waits for a program that gradtui did not start: one that runs on PyTorch and
// calls gradtui.record() or gradtui.attach() of the Python package gradtui.
type Receiver struct{ recorder *recorder }

// NewReceiver makes a private folder, whose name a program is told in some other way.
func NewReceiver() (*Receiver, error) {
	r, err := listen(scratch.Make)
	if err != nil {
		return nil, err
	}
	return &Receiver{r}, nil
}

// waiting begins the names of the folders of debuggers that wait. Programs look for wait-.
const waiting = "wait-gradtui."

// elsewhere is what to do where programs cannot find a debugger.
const elsewhere = "set XDG_RUNTIME_DIR, here and for the program, to a folder that only you can write to"

// Rendezvous makes a folder where programs of the same user look for a debugger, below
// [RendezvousFolder].
func Rendezvous() (*Receiver, error) {
	folder, err := RendezvousFolder()
	if err != nil {
		return nil, err
	}
	if err := ownFolder(folder); err != nil {
		return nil, fmt.Errorf("programs cannot find a debugger in %s: %w; %s", folder, err, elsewhere)
	}
	r, err := listen(func(what string, fill func(dir string) error) (*scratch.Folder, error) {
		return scratch.In(folder, waiting, fill)
	})
	if err != nil {
		return nil, fmt.Errorf("programs cannot find a debugger in %s: %w; %s", folder, err, elsewhere)
	}
	return &Receiver{r}, nil
}

// RendezvousFolder is where debuggers wait for programs of the same user.
func RendezvousFolder() (string, error) {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gradtui"), nil
	}
	return CacheDirectory()
}

// Folder is where the program has to connect.
func (r *Receiver) Folder() string { return r.recorder.folder.Path }

// Close frees what the receiver holds.
func (r *Receiver) Close() { r.recorder.Close() }

// A Guest is a program that has connected.
type Guest struct {
	Process int
	// Args are the program and its arguments. In a notebook they are those of the
	// process that runs it.
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
