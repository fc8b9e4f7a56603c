package builtin

import (
	"errors"
	"net"
	"sync"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/control"
)

// Name is what a tape says about the engine.
const Name = "builtin"

// ErrRanks is returned for a program that starts ranks.
var ErrRanks = errors.New("the built-in engine serves one process: a program of several ranks needs a Python with torch")

// A host is the engine for one Python program. The program finds it by its
// environment.
type host struct {
	engine.Setup
	channel   *channel
	variables map[string]engine.Variable

	mu        sync.Mutex
	connected bool // the program is served
	ended     bool // and has ended
}

// New prepares the engine for a program. Close must be called in the end.
func New(setup engine.Setup) (engine.Server, error) {
	if setup.Join != nil {
		return nil, ErrRanks
	}
	c, err := newChannel()
	if err != nil {
		return nil, err
	}
	return &host{Setup: setup, channel: c, variables: map[string]engine.Variable{}}, nil
}

// Environment is what the program's environment needs.
func (h *host) Environment() []string {
	return append(engine.AskFor(h.Setup.Variables), h.channel.environment())
}

// Serve waits until the program imports torch and then serves it until it ends,
// or until Stop is called before it has. connected says whether it did.
func (h *host) Serve() (connected bool, err error) {
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
	return true, serveProgram(h.channel, h.Tape, h.Gate, h.variables)
}

// Stop makes Serve return: the program has ended, though a process that it forked
// may still hold its end of the channel.
func (h *host) Stop() {
	h.channel.hangUp()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	if h.Gate != nil {
		h.Gate.Do(control.Command{Detach: true}) // no thread waits there any more
	}
	if h.connected {
		h.channel.cut()
	}
}

// Variables returns the requested variables that existed when the program ended.
func (h *host) Variables() map[string]engine.Variable { return h.variables }

// Close frees what the host holds. Serve must have returned.
func (h *host) Close() { h.channel.close() }
