package python

import (
	"errors"
	"net"

	"github.com/gradtui/gradtui/graph"
)

// A Host is the engine for one Python program. The program finds it by its
// environment.
type Host struct {
	channel *channel
	tape    *graph.Tape
}

// NewHost prepares the engine for a program; what the program does will be on the
// tape. Close must be called in the end.
func NewHost(tape *graph.Tape) (*Host, error) {
	c, err := newChannel()
	if err != nil {
		return nil, err
	}
	return &Host{c, tape}, nil
}

// Environment is the variable for the environment of the program.
func (h *Host) Environment() string { return h.channel.environment() }

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
	return true, serveProgram(h.channel, h.tape)
}

// Stop makes a Serve that still waits for the program return.
func (h *Host) Stop() { h.channel.hangUp() }

// Close frees what the host holds. Serve must have returned.
func (h *Host) Close() { h.channel.close() }
