package pytorch

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/scratch"
)

// RecordsVariable is the environment variable that tells a program on PyTorch the folder
// where its records go.
const RecordsVariable = "GRADTUI_RECORDS"

// Bounds on what comes from the program.
const (
	mostRanks  = 1 << 20
	maxFrame   = 64 << 20
	keptFrame  = 1 << 20 // memory that is kept for the next frame
	mostHello  = 1 << 20
	mostInText = 100 // characters of the version of PyTorch
)

// grace is how long gradtui waits for records that a program which has ended has sent.
const grace = 200 * time.Millisecond

// A recorder is gradtui's end of the recording of a program that runs on PyTorch: the
// program connects at a socket in a private folder and sends records, which become events
// ([Translator]). It does not wait for anything but the answers to ("sync", number).
type recorder struct {
	// Gate, if it is not nil, may stop the program.
	Gate *control.Gate

	folder    *scratch.Folder
	listen    *net.UnixListener
	in        *frames
	attention *os.File // in the folder; the program looks at it with each record
	tape      *graph.Tape
	asked     []string
	variables map[string]engine.Variable

	mu    sync.Mutex
	conn  *net.UnixConn
	ended bool
}

// New prepares the recording of a program, or of the ranks that it starts. Close must be
// called in the end.
func New(setup engine.Setup) (engine.Server, error) {
	if setup.Join != nil {
		g, err := newGathering(setup.Join)
		if err != nil {
			return nil, err
		}
		return g, nil
	}
	r, err := newRecorder(setup.Tape, setup.Variables...)
	if err != nil {
		return nil, err
	}
	r.Gate = setup.Gate
	return r, nil
}

// newRecorder prepares the recording of a program; what it does will be on the tape. At
// its end it is asked for the global variables with the given names. Close must be called
// in the end.
func newRecorder(tape *graph.Tape, variables ...string) (*recorder, error) {
	r, err := listen(scratch.Make)
	if err != nil {
		return nil, err
	}
	r.tape, r.asked = tape, variables
	return r, nil
}

// listen makes a private folder, where a program finds the recorder.
func listen(folder func(what string, fill func(dir string) error) (*scratch.Folder, error)) (*recorder, error) {
	r := &recorder{variables: map[string]engine.Variable{}}
	made, err := folder("the records of the Python program", r.fill)
	if err != nil {
		return nil, err
	}
	r.folder = made
	return r, nil
}

// fill makes in a folder what a program needs to connect.
func (r *recorder) fill(dir string) (err error) {
	if err = r.beHeard(dir, "attention"); err != nil {
		return err
	}
	if r.listen, err = scratch.Listen(dir); err != nil {
		r.attention.Close()
	}
	return err
}

// beHeard makes the file that tells a program to ask for commands.
func (r *recorder) beHeard(dir, name string) (err error) {
	r.attention, err = scratch.Allocate(filepath.Join(dir, name), protocol.AttentionBytes)
	return err
}

// Environment is what the program's environment needs.
func (r *recorder) Environment() []string {
	return append(engine.AskFor(r.asked), RecordsVariable+"="+r.folder.Path)
}

// Serve waits until the program imports torch and then takes its records until it ends.
func (r *recorder) Serve() (connected bool, err error) {
	if err := r.accept(); err != nil {
		if errors.Is(err, net.ErrClosed) {
			err = nil
		}
		return false, err
	}
	g, err := r.greeted()
	if err == nil {
		return true, r.record(g)
	}
	r.conn.Close()
	return true, unlessGone(err)
}

// accept waits for a program.
func (r *recorder) accept() error {
	conn, err := r.listen.AcceptUnix()
	if err != nil {
		return fmt.Errorf("connecting to Python: %w", err)
	}
	r.listen.Close() // the processes that it starts are not recorded
	r.connect(conn)
	return nil
}

// connect begins to listen to a program.
func (r *recorder) connect(conn *net.UnixConn) {
	r.mu.Lock()
	r.conn = conn
	r.mu.Unlock()
	r.in = &frames{r: r, in: bufio.NewReaderSize(conn, 256<<10)}
}

// greeted takes the first frame of a program.
func (r *recorder) greeted() (greeting, error) {
	hello, err := r.in.next(mostHello)
	if err != nil {
		return greeting{}, err
	}
	g, err := readGreeting(hello)
	if err != nil {
		r.answer(marshal.Tuple{"refuse", err.Error()})
	}
	return g, err
}

// record takes what a program sends until it ends.
func (r *recorder) record(g greeting) error {
	defer r.conn.Close() // tells the program that its records are no longer read
	info, own := r.tape.Info(), g.info()
	info.Engine, info.Rank, info.WorldSize = own.Engine, own.Rank, own.WorldSize
	r.tape.SetInfo(info)
	err := unlessGone(r.take())
	capture.RecordDamage(r.tape, err)
	return err
}

// unlessGone is an error, unless it says that the program was killed, perhaps before it had
// read an answer.
func unlessGone(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return nil
	}
	return err
}

// take takes the records that come.
func (r *recorder) take() error {
	var wanted control.Wanted
	if r.Gate != nil {
		wanted = r.Gate.Wanted()
		r.Gate.Ahead(!wanted.Everything)
		r.Gate.OnCommand(func() { r.attend(1) })
		defer r.Gate.OnCommand(nil)
	}
	first := r.settings(wanted, nil)
	first["attention"] = filepath.Base(r.attention.Name())
	if err := r.answer(marshal.Tuple{"welcome", first}); err != nil {
		return err
	}
	t := NewTranslator(r.tape)
	t.Gate = r.Gate
	if r.Gate != nil {
		r.Gate.OnAsk(func(a control.Ask) control.Answer { return r.ask(t, a) }, func() { r.attention.WriteAt([]byte{1}, protocol.AttentionCancel) })
		defer r.Gate.OnAsk(nil, nil)
	}
	t.Variable = func(name string, v engine.Variable) { r.variables[name] = v }
	for !t.Over() {
		frame, err := r.in.next(maxFrame)
		if err != nil {
			return err
		}
		if r.folder != nil {
			r.folder.Remove() // the program has found what was there: a kill leaves nothing
		}
		sync, err := t.Frame(frame)
		if err != nil {
			return err
		}
		if !sync.Asked {
			continue
		}
		var news any
		if r.Gate != nil {
			r.attend(0)
			if now := r.Gate.Wanted(); !now.Equal(wanted) {
				wanted, news = now, r.settings(now, t)
				r.Gate.Ahead(!wanted.Everything)
			}
			if wanted.Unsure || len(wanted.Tensors) > 0 && t.NamesToCome() {
				r.attend(1)
			}
		}
		if err := r.answer(marshal.Tuple{"go", sync.Number, news}); err != nil {
			return err
		}
	}
	return nil
}

// attend tells the program to ask, at its next record, or that it need not any more.
func (r *recorder) attend(x byte) { r.attention.WriteAt([]byte{x}, 0) }

// A greeting is what a program says of itself.
type greeting struct {
	process    int
	torch      string   // the version of PyTorch
	rank, size int      // of a distributed program; size 0: it is none
	args       []string // the program and its arguments
}

// info is what a tape of the program says about it.
func (g *greeting) info() graph.Info {
	info := graph.Info{Engine: OnTape(g.torch), Rank: g.rank, WorldSize: g.size}
	if len(g.args) > 0 {
		info.Program, info.Args = g.args[0], g.args[1:]
	}
	return info
}

// readGreeting reads the first frame: [("hello", version, process, version of PyTorch, rank,
// number of ranks, arguments)].
func readGreeting(frame []byte) (g greeting, err error) {
	var d marshal.Decoder
	d.Reset(frame, marshal.Plain{})
	d.Limit(mostHello)
	v, err := d.Value()
	list, _ := v.([]any)
	hello, _ := marshal.At[marshal.Tuple](list, 0)
	kind, _ := marshal.At[string](hello, 0)
	version, ok1 := marshal.At[int](hello, 1)
	process, ok2 := marshal.At[int](hello, 2)
	torch, ok3 := marshal.At[string](hello, 3)
	if err != nil || kind != "hello" || !ok1 {
		return g, marshal.Damaged("greeting", err)
	}
	if version != protocol.RecordsVersion {
		return g, fmt.Errorf("the program sends records of version %d; this gradtui understands version %d", version, protocol.RecordsVersion)
	}
	if !ok2 || !ok3 {
		return g, marshal.Damaged("greeting", nil)
	}
	g.process, g.torch = process, torch
	rank, ok1 := marshal.At[int](hello, 4)
	size, ok2 := marshal.At[int](hello, 5)
	if ok1 && ok2 && 0 <= rank && rank < size && size <= mostRanks {
		g.rank, g.size = rank, size
	}
	args, _ := marshal.At[marshal.Tuple](hello, 6)
	for _, a := range args {
		if text, ok := a.(string); ok {
			g.args = append(g.args, text)
		}
	}
	return g, nil
}

// Name is the engine's on tapes, before the version.
const Name = "torch"

// OnTape returns what the tape of a program on a version of PyTorch says about the engine:
// "torch 2.6.0".
func OnTape(version string) string {
	version, _, _ = strings.Cut(version, "+") // cpu, cu124
	if len(version) > mostInText {
		version = version[:mostInText]
	}
	return Name + " " + strings.ToValidUTF8(version, "")
}

// settings returns what the program has to report for the gate. t knows the program's tensors,
// once there may be some.
func (r *recorder) settings(w control.Wanted, t *Translator) map[string]any {
	attend, values := 0, protocol.ValuesSmall
	switch {
	case w.Everything:
		attend = protocol.AttendRecords
	case w.Nodes:
		attend = protocol.AttendNodes
	}
	elements := r.tape.Limits().Elements
	if w.Watched || elements > 0 {
		values = protocol.ValuesAll
	}
	lines := []any{}
	for _, l := range w.Lines {
		lines = append(lines, []any{l.File, l.Line})
	}
	texts := func(list []string) []any {
		all := []any{}
		for _, s := range list {
			all = append(all, s)
		}
		return all
	}
	named := []any{}
	if t != nil {
		for _, n := range t.Numbers(w.Named) {
			named = append(named, n)
		}
	}
	all := map[string]any{
		"attend": attend, "named": named, "values": values, "elements": elements, "ops": texts(w.Ops), "lines": lines, "names": texts(w.Tensors),
		"inplace": w.InPlace || w.Unsure, "free": texts(w.Freed), "nonfinite": w.NotFinite, "errors": w.Errors,
	}
	if a := r.tape.Limits().Named; a != nil {
		amounts := []any{}
		for _, x := range a.List {
			amounts = append(amounts, []any{x.Expression(), x.Elements})
		}
		all["amounts"] = amounts
	}
	return all
}

// answer sends a frame with one tuple.
func (r *recorder) answer(v marshal.Tuple) error {
	frame := marshal.Append(make([]byte, 4), v)
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-4))
	if _, err := r.conn.Write(frame); err != nil {
		return io.EOF // the reader is gone
	}
	return nil
}

// Stop makes Serve return when it has taken what the program has sent: the program has
// ended, though a process that it forked may still hold its end of the connection.
func (r *recorder) Stop() {
	if r.listen != nil {
		r.listen.Close()
	}
	r.mu.Lock()
	r.ended = true
	if r.conn != nil {
		r.conn.SetReadDeadline(time.Now().Add(grace))
	}
	r.mu.Unlock()
	if r.Gate != nil {
		r.Gate.Do(control.Command{Detach: true}) // no thread waits there any more
	}
}

// reading prepares for reading: it does not take long once the program has ended.
func (r *recorder) reading() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		r.conn.SetReadDeadline(time.Now().Add(grace))
	}
}

// Variables returns the requested variables that existed when the program ended.
func (r *recorder) Variables() map[string]engine.Variable { return r.variables }

// Close frees what the recorder holds. Serve must have returned.
func (r *recorder) Close() {
	r.listen.Close()
	r.attention.Close()
	r.folder.Remove()
}

// frames reads what the program sends: lengths, each with as many bytes.
type frames struct {
	r    *recorder
	in   *bufio.Reader
	data []byte

	waiting [][]byte // frames that came while the program answered a question
	broken  error    // what was wrong with one of them
}

// next reads a frame of at most some bytes. It is valid until the next one.
func (f *frames) next(most int) ([]byte, error) {
	if len(f.waiting) > 0 {
		first := f.waiting[0]
		f.waiting = f.waiting[1:]
		return first, nil
	}
	if f.broken != nil {
		return nil, f.broken
	}
	return f.fetch(most)
}

// fetch reads a frame from the connection.
func (f *frames) fetch(most int) ([]byte, error) {
	var head [4]byte
	if err := f.read(head[:]); err != nil {
		return nil, err
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if n > most {
		return nil, fmt.Errorf("the program sent a frame of %d bytes", n)
	}
	if n > cap(f.data) || cap(f.data) > keptFrame {
		f.data = make([]byte, n)
	}
	f.data = f.data[:n]
	return f.data, f.read(f.data)
}

// read fills b. io.EOF is the end of the program.
func (f *frames) read(b []byte) error {
	for n := 0; n < len(b); {
		f.r.reading()
		m, err := f.in.Read(b[n:])
		n += m
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return io.EOF
		}
		if err != nil && n < len(b) {
			return err
		}
	}
	return nil
}
