package capture

import (
	"bufio"
	"io"
	"os/exec"
	"sync"
)

// A witness is a process in the process group of gradtui that does nothing but to end by
// the signals that end processes. A program in the same group has got those that ended the
// witness; the others gradtui got alone. Go cannot ask who has sent a signal, and to whom.
type witness struct {
	instead bool // what signalled returns without a process

	mu     sync.Mutex
	closed bool
	cmd    *exec.Cmd // nil if it could not be started
	in     io.WriteCloser
	out    *bufio.Reader
}

// newWitness starts a witness. Where there is none signals have been sent to the group if
// inTerminal says so: there they come from the keyboard.
func newWitness(inTerminal bool) *witness {
	w := &witness{instead: inTerminal}
	w.start()
	return w
}

// start starts the process, cat, which returns what it gets and ends when gradtui does.
func (w *witness) start() {
	cmd := exec.Command("cat")
	cmd.Dir = "/" // it keeps no folder in use
	in, err := cmd.StdinPipe()
	if err != nil {
		return
	}
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		in.Close()
		return
	}
	w.cmd, w.in, w.out = cmd, in, bufio.NewReader(out)
}

// end ends the process, if it has not ended yet.
func (w *witness) end() {
	if w.cmd != nil {
		w.in.Close()
		w.cmd.Wait()
		w.cmd = nil
	}
}

// signalled reports whether the signal that gradtui has got was sent to the whole group.
// The witness answers only if it has not got it: the system delivers signals before it lets
// a process go on.
func (w *witness) signalled() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cmd == nil {
		return w.instead
	}
	if _, err := w.in.Write([]byte{'\n'}); err == nil {
		if _, err = w.out.ReadByte(); err == nil {
			return false
		}
	}
	w.end()
	if !w.closed {
		w.start() // for the next one
	}
	return true
}

// close ends the witness.
func (w *witness) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.end()
}
