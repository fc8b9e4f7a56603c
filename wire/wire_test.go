package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

func listen(t *testing.T) *Listener {
	t.Helper()
	l, err := Listen(Welcome{MaxEvents: 7, MaxBytes: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// receive accepts one program and takes its tape.
func receive(l *Listener, tape *graph.Tape) <-chan error {
	done := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			done <- err
			return
		}
		tape.SetInfo(c.Hello().Info())
		done <- c.Receive(tape.NewImporter())
	}()
	return done
}

func TestATapeArrivesAsItWasSent(t *testing.T) {
	l := listen(t)
	got := graph.NewTape(graph.Limits{})
	done := receive(l, got)
	c, err := Dial(l.Path(), Hello{Engine: "test", Program: "prog", Args: []string{"-x"}})
	if err != nil {
		t.Fatal(err)
	}
	if w := c.Welcome(); w.MaxEvents != 7 || w.MaxBytes != 8 {
		t.Errorf("welcome %+v", w)
	}
	sent := graph.NewTape(graph.Limits{})
	for i := range 10_000 {
		stack := sent.InternStack(graph.Stack{{File: "prog", Line: i % 50, Func: "main"}})
		sent.Append(graph.Header{Stack: stack}, &graph.Iteration{Number: uint64(i), Label: sent.InternString(fmt.Sprint(i % 99))})
		if i%777 == 0 {
			if err := c.Send(sent); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.Send(sent); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got.Len() != 10_000 || got.Info().Engine != "test" || got.Info().Args[0] != "-x" {
		t.Fatalf("%d events, info %+v", got.Len(), got.Info())
	}
	for p := range got.Len() {
		h, e, err := got.At(p)
		it, ok := e.(*graph.Iteration)
		if err != nil || !ok || it.Number != uint64(p) || got.String(it.Label) != fmt.Sprint(p%99) || got.Stack(h.Stack).Top().Line != int(p)%50 {
			t.Fatalf("event %d: %+v %+v %v", p, h, e, err)
		}
	}
}

func TestWhatArrivedBeforeTheProgramDiedIsKept(t *testing.T) {
	l := listen(t)
	got := graph.NewTape(graph.Limits{})
	done := receive(l, got)
	c, err := Dial(l.Path(), Hello{})
	if err != nil {
		t.Fatal(err)
	}
	sent := graph.NewTape(graph.Limits{})
	sent.Append(graph.Header{}, &graph.Iteration{Number: 1})
	if err := c.Send(sent); err != nil {
		t.Fatal(err)
	}
	// The beginning of a frame, then the end.
	c.conn.Write([]byte{byte(FrameBlock), 100, 0, 0, 0, 1, 2, 3})
	c.conn.Close()
	if err := <-done; err != nil || got.Len() != 1 {
		t.Errorf("%d events, error %v", got.Len(), err)
	}
}

func TestTheSocketIsPrivateAndGoesAway(t *testing.T) {
	l := listen(t)
	for path, mode := range map[string]os.FileMode{l.Path(): 0o600, filepath.Dir(l.Path()): 0o700} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: mode %v, error %v", path, info.Mode(), err)
		}
	}
	l.Close()
	if _, err := os.Stat(filepath.Dir(l.Path())); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
	if _, err := Dial(l.Path(), Hello{}); err == nil {
		t.Error("connected to a closed listener")
	}
}

// Peers that send nonsense are turned away, and a program that comes after them
// is served.
func TestStrangersAreTurnedAway(t *testing.T) {
	strangers := map[string][]byte{
		"nothing":         nil,
		"silence":         nil,
		"text":            []byte("GET / HTTP/1.1\r\n\r\n"),
		"a huge frame":    {byte(FrameHello), 0xff, 0xff, 0xff, 0xff},
		"another frame":   {byte(FrameBlock), 0, 0, 0, 0},
		"no JSON":         {byte(FrameHello), 2, 0, 0, 0, '{', '{'},
		"half a greeting": {byte(FrameHello), 50, 0, 0, 0, '{'},
	}
	for name, greeting := range strangers {
		t.Run(name, func(t *testing.T) {
			l := listen(t)
			done := receive(l, graph.NewTape(graph.Limits{}))
			conn, err := net.Dial("unix", l.Path())
			if err != nil {
				t.Fatal(err)
			}
			conn.Write(greeting)
			if name == "silence" {
				defer conn.Close()
			} else {
				conn.(*net.UnixConn).CloseWrite()
				if rest, _ := io.ReadAll(conn); len(rest) > 0 {
					t.Errorf("it was answered %q", rest)
				}
			}
			c, err := Dial(l.Path(), Hello{})
			if err != nil {
				t.Fatal("the program after it:", err)
			}
			c.Close()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnotherVersionIsRefusedInWords(t *testing.T) {
	l := listen(t)
	receive(l, graph.NewTape(graph.Limits{}))
	conn, err := net.Dial("unix", l.Path())
	if err != nil {
		t.Fatal(err)
	}
	writeJSON(conn, FrameHello, Hello{Protocol: Version + 1})
	typ, payload, err := readFrame(conn, nil)
	if err != nil || typ != FrameRefuse || !strings.Contains(string(payload), fmt.Sprintf("version %d", Version)) {
		t.Errorf("frame %d %q, error %v", typ, payload, err)
	}
}

func TestDamagedBlocksEndTheConnection(t *testing.T) {
	for name, frame := range map[string][]byte{
		"garbage in a block": {byte(FrameBlock), 3, 0, 0, 0, 0xff, 0xff, 0xff},
		"a second greeting":  {byte(FrameHello), 0, 0, 0, 0},
		"an unknown frame":   {99, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := listen(t)
			done := receive(l, graph.NewTape(graph.Limits{}))
			c, err := Dial(l.Path(), Hello{})
			if err != nil {
				t.Fatal(err)
			}
			c.conn.Write(frame)
			if err := <-done; err == nil {
				t.Error("it was accepted")
			}
			c.conn.Close()
		})
	}
}

func TestSendingWithoutAReceiverIsAnError(t *testing.T) {
	l := listen(t)
	accepted := make(chan *Connection)
	go func() {
		c, _ := l.Accept()
		accepted <- c
	}()
	c, err := Dial(l.Path(), Hello{})
	if err != nil {
		t.Fatal(err)
	}
	(<-accepted).Close()
	tape := graph.NewTape(graph.Limits{})
	for err == nil {
		tape.Append(graph.Header{}, &graph.OutputWritten{Text: strings.Repeat("x", 10_000)})
		err = c.Send(tape)
	}
	if !isClosed(err) {
		t.Errorf("error %v", err)
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0})
	f.Add([]byte{4, 3, 0, 0, 0, 1, 2, 3})
	f.Add(binary.LittleEndian.AppendUint32([]byte{4}, MaxFrame))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		var buf []byte
		for {
			_, payload, err := readFrame(r, buf)
			buf = payload
			if err != nil {
				return
			}
			if len(payload) > len(data) {
				t.Fatalf("%d bytes out of %d", len(payload), len(data))
			}
		}
	})
}
