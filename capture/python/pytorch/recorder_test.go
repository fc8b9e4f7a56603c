package pytorch

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// A client is the end of a program that is recorded.
type client struct {
	*testing.T
	conn  net.Conn
	waits *os.File
	dir   string
}

// connect starts a recorder and connects with it. The function that it returns ends the
// program and says what Serve returned.
func connect(t *testing.T, gate *control.Gate) (c *client, r *recorder, end func() error) {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	tape.SetInfo(graph.Info{Program: "prog.py"})
	r, err := newRecorder(tape, "loss")
	if err != nil {
		t.Fatal(err)
	}
	r.Gate = gate
	served := make(chan error, 1)
	go func() {
		_, err := r.Serve()
		served <- err
	}()
	environment := map[string]string{}
	for _, v := range r.Environment() {
		name, value, _ := strings.Cut(v, "=")
		environment[name] = value
	}
	if environment[engine.VariablesVariable] != "loss" {
		t.Errorf("environment %v", environment)
	}
	c = &client{T: t, dir: environment[RecordsVariable]}
	if c.conn, err = net.Dial("unix", filepath.Join(c.dir, "socket")); err != nil {
		t.Fatal(err)
	}
	// A program has it open before the folder goes away.
	if c.waits, err = os.Open(filepath.Join(c.dir, "attention")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.waits.Close() })
	return c, r, func() error {
		c.conn.Close()
		err := <-served
		r.Stop()
		r.Close()
		return err
	}
}

func (c *client) send(records ...any) {
	c.Helper()
	frame := marshal.Append(make([]byte, 4), records)
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-4))
	if _, err := c.conn.Write(frame); err != nil {
		c.Error(err)
	}
}

// answer is what comes back; nil: the connection was closed.
func (c *client) answer() any {
	c.Helper()
	var head [4]byte
	if _, err := io.ReadFull(c.conn, head[:]); err != nil {
		return nil
	}
	data := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(c.conn, data); err != nil {
		c.Fatal(err)
	}
	var d marshal.Decoder
	d.Reset(data, marshal.Plain{})
	v, err := d.Value()
	if err != nil {
		c.Fatal(err)
	}
	return v
}

// attention is what the program sees when it looks whether there are commands.
func (c *client) attention() byte {
	c.Helper()
	var data [protocol.AttentionBytes]byte
	if n, err := c.waits.ReadAt(data[:], 0); n != protocol.AttentionBytes {
		c.Fatal(n, err)
	}
	return data[0]
}

func (c *client) hello(version int) {
	c.Helper()
	c.send(marshal.Tuple{"hello", version, 4711, "2.6.0+cpu", -1, 0, marshal.Tuple{"prog.py"}})
}

// gradMode is a record that needs no others.
func gradMode(on bool) marshal.Tuple { return marshal.Tuple{"mode", 1, on, 0} }

func TestARecorderTakesWhatAProgramSends(t *testing.T) {
	c, r, end := connect(t, nil)
	c.hello(protocol.RecordsVersion)
	welcome, ok := c.answer().(marshal.Tuple)
	if !ok || welcome[0] != "welcome" {
		t.Fatalf("%v", welcome)
	}
	c.send(gradMode(false), gradMode(true))
	c.send(marshal.Tuple{"sync", 7})
	if diff := cmp.Diff(marshal.Tuple{"go", 7, nil}, c.answer()); diff != "" {
		t.Error(diff)
	}
	if n := r.tape.Len(); n != 2 {
		t.Errorf("%d events", n)
	}
	c.send(marshal.Tuple{"variable", "loss", "Tensor", false, []any{}, []any{}}, marshal.Tuple{"bye"})
	if v := c.answer(); v != nil {
		t.Errorf("%v after the end", v)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(graph.Info{Engine: "torch 2.6.0", Program: "prog.py"}, r.tape.Info()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]engine.Variable{"loss": {Type: "Tensor"}}, r.Variables()); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(c.dir); err == nil {
		t.Error("the folder is still there")
	}
}

func TestAProgramWaitsWhereTheGateStopsIt(t *testing.T) {
	stops := make(chan control.Stop, 1)
	gate := control.NewGate(func(s control.Stop) { stops <- s })
	gate.Do(control.Command{Breakpoints: &[]control.Breakpoint{{ID: 1, Query: "warning"}, {ID: 2, Query: "op mul*"}}})
	c, r, end := connect(t, gate)
	c.hello(protocol.RecordsVersion)
	wanted := [][2]any{{"attend", 0}, {"attention", "attention"}, {"elements", 0}, {"errors", true}, {"free", []any{}}, {"inplace", false}, {"lines", []any{}}, {"named", []any{}}, {"names", []any{}}, {"nonfinite", false}, {"ops", []any{"mul*"}}, {"values", 2}}
	if diff := cmp.Diff(marshal.Tuple{"welcome", wanted}, c.answer()); diff != "" {
		t.Error(diff)
	}
	c.send(gradMode(false), marshal.Tuple{"warned", "UserWarning", "!", 0}, gradMode(true), marshal.Tuple{"sync", 1})
	if stop := <-stops; stop.Events != 2 || r.tape.Len() != 2 {
		t.Errorf("%+v, %d events", stop, r.tape.Len())
	}
	if c.attention() != 0 {
		t.Error("there is a command before there was one")
	}
	gate.Do(control.Command{Resume: true, Step: control.StepLine})
	news, _ := c.answer().(marshal.Tuple)
	wanted = slices.Delete(wanted, 1, 2) // the file does not change
	wanted[0][1] = 1
	if diff := cmp.Diff(marshal.Tuple{"go", 1, wanted}, news); diff != "" {
		t.Error(diff)
	}
	if c.attention() != 0 {
		t.Error("the program has been told, but is to ask again")
	}
	gate.Do(control.Command{Breakpoints: &[]control.Breakpoint{}, Interrupt: true})
	if c.attention() != 1 {
		t.Error("the program does not learn that there is a command")
	}
	c.send(gradMode(false), marshal.Tuple{"sync", 2})
	if stop := <-stops; stop.Reason != "interrupt" || r.tape.Len() != 4 {
		t.Errorf("%+v, %d events", stop, r.tape.Len())
	}
	r.Stop() // no reader waits any more
	if err := end(); err != nil {
		t.Error(err)
	}
}

func TestARecorderRefusesOtherRecords(t *testing.T) {
	c, _, end := connect(t, nil)
	c.hello(protocol.RecordsVersion + 1)
	if refuse, _ := c.answer().(marshal.Tuple); len(refuse) != 2 || refuse[0] != "refuse" {
		t.Errorf("%v", refuse)
	}
	if err := end(); err == nil || !strings.Contains(err.Error(), fmt.Sprint("version ", protocol.RecordsVersion+1)) {
		t.Error(err)
	}
}

func TestADamagedRecordEndsTheRecording(t *testing.T) {
	c, r, end := connect(t, nil)
	c.hello(protocol.RecordsVersion)
	c.answer()
	c.send(gradMode(false), marshal.Tuple{"mode", 99, true, 0}, gradMode(true), marshal.Tuple{"sync", 1})
	if v := c.answer(); v != nil {
		t.Errorf("%v", v)
	}
	if err := end(); err == nil || !strings.Contains(err.Error(), "damaged record \"mode\"") {
		t.Error(err)
	}
	_, last, err := r.tape.At(r.tape.Len() - 1)
	if stopped, ok := last.(*graph.RecordingStopped); r.tape.Len() != 2 || err != nil || !ok || !strings.Contains(stopped.Reason, "damaged record \"mode\"") {
		t.Errorf("%d events, the last is %v, %v", r.tape.Len(), last, err)
	}
}

// TestAProgramThatHasEndedIsNotWaitedFor: a process that it forked holds the connection.
func TestAProgramThatHasEndedIsNotWaitedFor(t *testing.T) {
	for _, connected := range []bool{false, true} {
		tape := graph.NewTape(graph.Limits{})
		r, err := newRecorder(tape)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		came := make(chan bool)
		go func() {
			connected, err := r.Serve()
			if err != nil {
				t.Error(err)
			}
			came <- connected
		}()
		if connected {
			conn, err := net.Dial("unix", filepath.Join(r.folder.Path, "socket"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			c := &client{T: t, conn: conn, dir: r.folder.Path}
			c.hello(protocol.RecordsVersion)
			c.answer()
			c.send(gradMode(false))
		}
		r.Stop()
		if got := <-came; got != connected {
			t.Errorf("connected %v, want %v", got, connected)
		}
		if n := tape.Len(); connected && n != 1 {
			t.Errorf("%d events", n)
		}
	}
}

func TestABreakpointOfTheProgramStopsItThere(t *testing.T) {
	stops := make(chan control.Stop, 1)
	gate := control.NewGate(func(s control.Stop) { stops <- s })
	c, r, end := connect(t, gate)
	c.hello(protocol.RecordsVersion)
	c.answer()
	c.send(gradMode(false), marshal.Tuple{"breakpoint", 0}, gradMode(true), marshal.Tuple{"sync", 1})
	if stop := <-stops; stop.Events != 2 || stop.Reason != "interrupt" {
		t.Errorf("%+v", stop)
	}
	gate.Do(control.Command{Detach: true})
	c.answer()
	c.send(marshal.Tuple{"breakpoint", 0}, marshal.Tuple{"sync", 2}) // without a debugger
	c.answer()
	c.send(marshal.Tuple{"bye"})
	if err := end(); err != nil {
		t.Error(err)
	}
	if r.tape.Len() != 4 {
		t.Errorf("%d events", r.tape.Len())
	}
}
