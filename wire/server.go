package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/scratch"
)

// HandshakeTimeout is how long a peer may take to introduce itself.
const HandshakeTimeout = 10 * time.Second

// A Listener waits for programs at a socket in a private directory of its own.
type Listener struct {
	folder  *scratch.Folder
	sock    *net.UnixListener
	welcome Welcome

	mu     sync.Mutex
	change sync.Cond     // of what follows
	ready  []*Connection // that have introduced themselves
	closed bool
}

// Listen opens a socket that only the user can reach and answers the programs
// that connect with w.
func Listen(w Welcome) (*Listener, error) {
	w.Protocol = Version
	l := &Listener{welcome: w}
	folder, err := scratch.Make("the socket of the program", func(dir string) (err error) {
		l.sock, err = scratch.Listen(dir)
		return err
	})
	if err != nil {
		return nil, err
	}
	l.folder = folder
	l.change.L = &l.mu
	go l.serve()
	return l, nil
}

// serve greets every peer in a goroutine of its own, so that a silent peer does
// not block the others.
func (l *Listener) serve() {
	for {
		conn, err := l.sock.Accept()
		if err != nil {
			return
		}
		go func() {
			c := &Connection{conn: conn}
			if l.greet(c) != nil {
				conn.Close()
			}
		}()
	}
}

// Path is where a program has to connect.
func (l *Listener) Path() string { return l.sock.Addr().String() }

// Environment is the variable for the environment of the program.
func (l *Listener) Environment() string { return SocketVariable + "=" + l.Path() }

// Close stops listening and removes the socket. Programs that have introduced
// themselves can still be accepted. It may be called twice.
func (l *Listener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	l.change.Broadcast()
	err := l.sock.Close()
	l.folder.Remove()
	return err
}

// Accept waits for a program that has introduced itself. Other peers are turned
// away. The error [net.ErrClosed] means that the listener was closed and no
// program is left.
func (l *Listener) Accept() (*Connection, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.ready) == 0 && !l.closed {
		l.change.Wait()
	}
	if len(l.ready) == 0 {
		return nil, net.ErrClosed
	}
	c := l.ready[0]
	l.ready = l.ready[1:]
	return c, nil
}

// A Connection is a program that sends its tape.
type Connection struct {
	// OnStop is called when the program has stopped; what it had recorded has
	// arrived.
	OnStop func(control.Stop)
	// OnAnswer is called with each answer of the program to a question.
	OnAnswer func(control.Answer)

	conn    net.Conn
	hello   Hello
	buf     []byte
	sending sync.Mutex // control frames
}

// Hello is how the program introduced itself.
func (c *Connection) Hello() Hello { return c.hello }

// Close breaks the connection; the program goes on without recording.
func (c *Connection) Close() error { return c.conn.Close() }

// greet reads a Hello and answers it. The connection is there for Accept before
// the program learns that it may go on: it may end at once.
func (l *Listener) greet(c *Connection) error {
	c.conn.SetDeadline(time.Now().Add(HandshakeTimeout))
	t, payload, err := readFrame(c.conn, nil)
	if err != nil {
		return err
	}
	if t != FrameHello || json.Unmarshal(payload, &c.hello) != nil {
		return fmt.Errorf("%w: no greeting", ErrProtocol)
	}
	if c.hello.Protocol != Version {
		text := fmt.Sprintf("this gradtui speaks version %d of the protocol, the program version %d: use the same version of both", Version, c.hello.Protocol)
		writeFrame(c.conn, FrameRefuse, []byte(text))
		return errors.New(text)
	}
	c.conn.SetDeadline(time.Time{})
	l.mu.Lock()
	l.ready = append(l.ready, c)
	l.change.Broadcast()
	l.mu.Unlock()
	return writeJSON(c.conn, FrameWelcome, l.welcome)
}

// Control sends a command to the program. It may be called by any goroutine.
func (c *Connection) Control(command control.Command) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	if err := writeJSON(c.conn, FrameControl, command); err != nil {
		return fmt.Errorf("controlling the program: %w", err)
	}
	return nil
}

// Receive appends what the program sends to a tape until the program says Bye
// or its end of the connection closes; both are its normal end. An error means
// that what arrived is damaged; the tape holds what came before.
func (c *Connection) Receive(im *graph.Importer) error {
	for {
		t, payload, err := readFrame(c.conn, c.buf)
		c.buf = payload
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), isClosed(err):
			return nil // the program ended, perhaps in the middle of a frame
		case err != nil:
			return fmt.Errorf("receiving the tape: %w", err)
		case t == FrameBye:
			return nil
		case t == FrameStopped && c.OnStop != nil:
			var stop control.Stop
			if err := json.Unmarshal(payload, &stop); err != nil {
				return fmt.Errorf("%w: a stop that cannot be read", ErrProtocol)
			}
			c.OnStop(stop)
			continue
		case t == FrameAnswer && c.OnAnswer != nil:
			var answer control.Answer
			if len(payload) > 2*control.MostText || json.Unmarshal(payload, &answer) != nil {
				return fmt.Errorf("%w: an answer that cannot be read", ErrProtocol)
			}
			c.OnAnswer(answer)
			continue
		case t != FrameBlock:
			return fmt.Errorf("%w: an unexpected frame of type %d", ErrProtocol, t)
		}
		if _, err := im.Append(payload); err != nil {
			return fmt.Errorf("receiving the tape: %w", err)
		}
	}
}
