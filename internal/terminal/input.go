package terminal

import (
	"io"
	"sync"

	"github.com/charmbracelet/x/vt"
)

// input is what waits to be read by the program, in the order in which it was sent. The
// queue has no end: who sends must not wait for a program that does not read, least of all
// the emulator, which answers while it holds the screen.
type input struct {
	mu     sync.Mutex
	more   *sync.Cond
	queue  []byte
	closed bool
}

func newInput() *input {
	in := &input{}
	in.more = sync.NewCond(&in.mu)
	return in
}

func (in *input) send(text string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.queue = append(in.queue, text...)
	in.more.Signal()
}

func (in *input) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	in.more.Signal()
}

// pump writes to the program until the terminal is closed.
func (in *input) pump(w io.Writer) {
	for {
		in.mu.Lock()
		for len(in.queue) == 0 && !in.closed {
			in.more.Wait()
		}
		next, closed := in.queue, in.closed
		in.queue = nil
		in.mu.Unlock()
		if closed {
			return
		}
		if _, err := w.Write(next); err != nil {
			return
		}
	}
}

// answers sends what the emulator answers.
func (in *input) answers(from *vt.Emulator) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		in.send(string(buffer[:n]))
		if err != nil {
			return
		}
	}
}
