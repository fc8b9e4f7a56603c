package python

import (
	"errors"
	"net"
	"sync"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/graph"
)

// A Host is the engine for one Python program. The program finds it by its
// environment.
type Host struct {
	// Gate, if it is not nil, may stop the program.
	Gate *control.Gate

	channel   *channel
	tape      *graph.Tape
	asked     []string
	variables map[string]Variable

	mu        sync.Mutex
	connected bool // the program is served
	ended     bool // and has ended
}

// NewHost prepares the engine for a program; what the program does will be on the
// tape. At its end it is asked for the global variables with the given names.
// Close must be called in the end.
func NewHost(tape *graph.Tape, variables ...string) (*Host, error) {
	c, err := newChannel()
	if err != nil {
		return nil, err
	}
	return &Host{channel: c, tape: tape, asked: variables, variables: map[string]Variable{}}, nil
}

// Environment is what the program's environment needs.
func (h *Host) Environment() []string {
	return append(variablesAsked(h.asked), h.channel.environment())
}

// Serve waits until the program imports torch and then serves it until it ends,
// or until Stop is called before it has. connected says whether it did.
func (h *Host) Serve() (connected bool, err error) {
	if err := h.channel.accept(); err != nil {
		if errors.Is(err, net.ErrClosed) {
			return false, nil
		}
		return false, err
	}
	defer h.channel.conn.Close() // a program that is not served any more has to know
	h.mu.Lock()
	h.connected = true
	ended := h.ended
	h.mu.Unlock()
	if ended {
		return true, nil
	}
	return true, serveProgram(h.channel, h.tape, h.Gate, h.variables)
}

// Stop makes Serve return: the program has ended, though a process that it forked
// may still hold its end of the channel.
func (h *Host) Stop() {
	h.channel.hangUp()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	if h.Gate != nil {
		h.Gate.Do(control.Command{Detach: true}) // nobody waits there any more
	}
	if h.connected {
		h.channel.cut()
	}
}

// Variables are those of the variables that were asked for that existed when the
// program ended.
func (h *Host) Variables() map[string]Variable { return h.variables }

// Close frees what the host holds. Serve must have returned.
func (h *Host) Close() { h.channel.close() }
