// Package wire is the protocol between a program that is debugged and gradtui:
// the program, or the engine inside it, sends its tape over a Unix socket.
//
// A connection is a sequence of frames in both directions:
//
//	type    1 byte
//	length  4 bytes, little endian
//	payload
//
// The program opens the connection and sends Hello; gradtui answers Welcome, or
// Refuse with a sentence for the person at the keyboard. Then the program sends
// Block frames, each a block of the tape (package graph), and at the end Bye. If
// Welcome says so, gradtui controls the program with Control frames, and the
// program answers Stopped when it waits (package control). A connection that
// breaks off is the end of the program; what arrived before is kept.
// docs/internals/wire.md has the details for authors of other engines.
//
// gradtui listens in a private directory; only the user can connect. Input from
// programs is still checked: sizes are bounded, blocks are validated, and a peer
// that sends nothing is dropped after a while.
package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// Version is the version of the protocol. Peers of different versions do not
// work together; additions that an older peer may ignore do not change it.
const Version = 5

// SocketVariable is the environment variable that tells a program where to
// connect.
const SocketVariable = "GRADTUI_SOCKET"

// A FrameType says what a frame holds.
type FrameType uint8

// The types of frames.
const (
	FrameHello   FrameType = 1 // program: JSON of Hello
	FrameWelcome FrameType = 2 // gradtui: JSON of Welcome
	FrameRefuse  FrameType = 3 // gradtui: a sentence
	FrameBlock   FrameType = 4 // program: a block of the tape
	FrameBye     FrameType = 5 // program: nothing more will come
	FrameControl FrameType = 6 // gradtui: JSON of control.Command
	FrameStopped FrameType = 7 // program: JSON of control.Stop; it waits
	FrameAnswer  FrameType = 8 // program: JSON of control.Answer
)

// MaxFrame bounds the payload of a frame.
const MaxFrame = 16 << 20

// Hello introduces a program.
type Hello struct {
	Protocol int      `json:"protocol"`
	Engine   string   `json:"engine"`  // "builtin", "torch 2.6.0"
	Program  string   `json:"program"` // file or package
	Args     []string `json:"args,omitempty"`
	PID      int      `json:"pid,omitempty"`
}

// Welcome accepts a program.
type Welcome struct {
	Protocol int `json:"protocol"`
	// MaxEvents and MaxBytes are limits for the tape; zero means none.
	MaxEvents int   `json:"max_events,omitempty"`
	MaxBytes  int64 `json:"max_bytes,omitempty"`
	// Elements is how many leading elements of a tensor are wanted; zero means as usual.
	Elements int `json:"elements,omitempty"`
	// Named says how many are wanted of tensors with certain names; the first that matches counts.
	Named []graph.Amount `json:"named,omitempty"`
	// Control says that gradtui controls the program, and what it is to do
	// first. Without it no control frames follow.
	Control *control.Command `json:"control,omitempty"`
}

// Info returns what a tape's header keeps of a Hello.
func (h Hello) Info() graph.Info {
	return graph.Info{Engine: h.Engine, Program: h.Program, Args: h.Args}
}

// ErrProtocol is wrapped by the errors for peers that do not keep to the
// protocol.
var ErrProtocol = errors.New("not the gradtui protocol")

const headerSize = 5

// writeFrame sends one frame in a single write.
func writeFrame(w io.Writer, t FrameType, payload []byte) error {
	frame := make([]byte, headerSize, headerSize+len(payload))
	frame[0] = byte(t)
	binary.LittleEndian.PutUint32(frame[1:], uint32(len(payload)))
	_, err := w.Write(append(frame, payload...))
	return err
}

func writeJSON(w io.Writer, t FrameType, v any) error {
	payload, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(w, t, payload)
}

// readFrame receives one frame; the payload is valid until the next call with
// the same buffer. A clean end of the connection is io.EOF.
func readFrame(r io.Reader, buf []byte) (t FrameType, payload []byte, err error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, buf, err
	}
	t = FrameType(header[0])
	n := binary.LittleEndian.Uint32(header[1:])
	if t < FrameHello || t > FrameAnswer || n > MaxFrame {
		return 0, buf, fmt.Errorf("%w: a frame of type %d and %d bytes", ErrProtocol, t, n)
	}
	// The buffer grows with what really arrives, not with what was announced.
	buf = buf[:0]
	for len(buf) < int(n) {
		chunk := min(int(n)-len(buf), 64<<10)
		start := len(buf)
		buf = append(buf, make([]byte, chunk)...)
		if _, err := io.ReadFull(r, buf[start:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return t, buf[:0], err
		}
	}
	return t, buf, nil
}
