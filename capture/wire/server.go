package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// HandshakeTimeout is how long a peer may take to introduce itself.
const HandshakeTimeout = 10 * time.Second

// A Listener waits for programs at a socket in a private directory of its own.
type Listener struct {
	dir  string
	sock net.Listener
	once sync.Once
}

// Listen opens a socket that only the user can reach.
func Listen() (*Listener, error) {
	dir, err := os.MkdirTemp("", "gradtui-") // made with mode 0700
	if err != nil {
		return nil, fmt.Errorf("making a private directory for the socket: %w", err)
	}
	path := filepath.Join(dir, "socket")
	sock, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("listening for the program: %w", err)
	}
	return &Listener{dir: dir, sock: sock}, nil
}

// Path is where a program has to connect.
func (l *Listener) Path() string { return l.sock.Addr().String() }

// Environment is the variable for the environment of the program.
func (l *Listener) Environment() string { return SocketVariable + "=" + l.Path() }

// Close stops listening and removes the socket. It may be called twice.
func (l *Listener) Close() error {
	var err error
	l.once.Do(func() { err = errors.Join(l.sock.Close(), os.RemoveAll(l.dir)) })
	return err
}

// Accept waits for a program and answers its Hello. Peers that are no gradtui
// program are turned away and the waiting goes on; an error means that the
// listener was closed.
func (l *Listener) Accept(w Welcome) (*Connection, error) {
	for {
		conn, err := l.sock.Accept()
		if err != nil {
			return nil, err
		}
		c := &Connection{conn: conn}
		if err := c.handshake(w); err != nil {
			conn.Close()
			continue
		}
		return c, nil
	}
}

// A Connection is a program that sends its tape.
type Connection struct {
	conn  net.Conn
	hello Hello
	buf   []byte
}

// Hello is how the program introduced itself.
func (c *Connection) Hello() Hello { return c.hello }

// Close breaks the connection; the program goes on without recording.
func (c *Connection) Close() error { return c.conn.Close() }

func (c *Connection) handshake(w Welcome) error {
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
	w.Protocol = Version
	if err := writeJSON(c.conn, FrameWelcome, w); err != nil {
		return err
	}
	return c.conn.SetDeadline(time.Time{})
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
		case t != FrameBlock:
			return fmt.Errorf("%w: an unexpected frame of type %d", ErrProtocol, t)
		}
		if _, err := im.Append(payload); err != nil {
			return fmt.Errorf("receiving the tape: %w", err)
		}
	}
}
