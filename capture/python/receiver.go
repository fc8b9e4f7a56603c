package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/graph"
)

// A Receiver waits for a program that gradtui did not start: one that runs on PyTorch and
// calls gradtui.record() or gradtui.attach() of the Python package gradtui.
type Receiver struct{ recorder *recorder }

// NewReceiver makes a private folder, whose name a program is told in some other way.
func NewReceiver() (*Receiver, error) {
	r, err := listen("", "gradtui-python-")
	if err != nil {
		return nil, err
	}
	return &Receiver{r}, nil
}

// Folders of debuggers that wait are called wait-PROCESS-NUMBER.
const waiting = "wait-"

// Rendezvous makes a folder where programs of the same user look for a debugger, below
// [RendezvousFolder].
func Rendezvous() (*Receiver, error) {
	folder, err := RendezvousFolder()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder where programs look for a debugger: %w", err)
	}
	// A folder that others may write to is none where a program should look.
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return nil, fmt.Errorf("%s is not a folder that only you can write to: mend or remove it", folder)
	}
	removeStale(folder)
	r, err := listen(folder, waiting+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, err
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

// removeStale removes what debuggers have left that were killed.
func removeStale(folder string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), waiting)
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if ok && err == nil && e.IsDir() && !runs(pid) {
			os.RemoveAll(filepath.Join(folder, e.Name()))
		}
	}
}

// Folder is where the program has to connect.
func (r *Receiver) Folder() string { return r.recorder.dir }

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
