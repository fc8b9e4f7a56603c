package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// A Client is a program's end of a connection.
type Client struct {
	conn    net.Conn
	welcome Welcome
	export  *graph.Exporter
	tape    *graph.Tape
	block   []byte
}

// blockEvents is how many events a block holds at most.
const blockEvents = 4096

// Dial connects to gradtui at a socket.
func Dial(path string, h Hello) (*Client, error) {
	conn, err := net.DialTimeout("unix", path, HandshakeTimeout)
	if err != nil {
		return nil, fmt.Errorf("connecting to gradtui: %w", err)
	}
	c := &Client{conn: conn}
	if err := c.greet(h); err != nil {
		conn.Close()
		return nil, fmt.Errorf("connecting to gradtui: %w", err)
	}
	return c, nil
}

func (c *Client) greet(h Hello) error {
	c.conn.SetDeadline(time.Now().Add(HandshakeTimeout))
	h.Protocol = Version
	if err := writeJSON(c.conn, FrameHello, h); err != nil {
		return err
	}
	t, payload, err := readFrame(c.conn, nil)
	switch {
	case err != nil:
		return err
	case t == FrameRefuse:
		return errors.New(string(payload))
	case t != FrameWelcome || json.Unmarshal(payload, &c.welcome) != nil:
		return fmt.Errorf("%w: no answer to the greeting", ErrProtocol)
	}
	return c.conn.SetDeadline(time.Time{})
}

// Welcome is gradtui's answer.
func (c *Client) Welcome() Welcome { return c.welcome }

// Send sends what was added to the tape since the last call and drops it from
// the program's memory. An error means that gradtui is gone.
func (c *Client) Send(t *graph.Tape) error {
	if c.export == nil || c.tape != t {
		c.export, c.tape = t.NewExporter(), t
	}
	for c.export.Next() < t.Len() {
		block, _, err := c.export.AppendBlock(c.block[:0], blockEvents)
		c.block = block
		if err != nil {
			return err
		}
		if err := writeFrame(c.conn, FrameBlock, block); err != nil {
			return err
		}
	}
	t.Drop(c.export.Next())
	return nil
}

// Control returns the gate that gradtui controls from now on, or nil if it does
// not want to. When the program stops, what it has recorded is sent first.
func (c *Client) Control(t *graph.Tape) (*control.Gate, error) {
	if c.welcome.Control == nil {
		return nil, nil
	}
	gate := control.NewGate(func(stop control.Stop) {
		if c.Send(t) == nil {
			writeJSON(c.conn, FrameStopped, stop)
		}
	})
	gate.OnAnswer(func(a control.Answer) { writeJSON(c.conn, FrameAnswer, a) })
	if err := gate.Do(*c.welcome.Control); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	go c.obey(gate)
	return gate, nil
}

// obey hands the commands of gradtui to a gate until the connection ends; then
// the program runs freely.
func (c *Client) obey(gate *control.Gate) {
	defer gate.Do(control.Command{Detach: true})
	var buf []byte
	for {
		t, payload, err := readFrame(c.conn, buf)
		buf = payload
		var command control.Command
		if err != nil || t != FrameControl || json.Unmarshal(payload, &command) != nil || gate.Do(command) != nil {
			return
		}
	}
}

// Close says Bye and closes the connection.
func (c *Client) Close() error {
	return errors.Join(writeFrame(c.conn, FrameBye, nil), c.conn.Close())
}

// isClosed recognises a connection that one side has closed.
func isClosed(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
