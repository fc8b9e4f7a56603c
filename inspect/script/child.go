package script

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
	_ "github.com/gradtui/gradtui/inspect/script/internal/quiet" // before Starlark
	"github.com/gradtui/gradtui/internal/worker"
)

func init() { log.SetOutput(os.Stderr) }

// A script runs in a child process: builtin functions of Starlark are neither interrupted nor
// counted, so nothing else ends max(range(1 << 45)) or bounds the memory of "a" * (1 << 40). The
// child gets the tape as an open file without a name. What a script prints, exports and finds
// comes back over a pipe, and the parent writes the files.

const role = "GRADTUI_SCRIPT_ROLE=child"

// DefaultMemory is how much a script may take on top of the tape and its history.
const DefaultMemory = 512 << 20

const (
	// grace is how long a script has to notice that its time is up, and then the child to report it.
	grace = 500 * time.Millisecond
	// maxStack bounds the recursion of the interpreter, as on lists that are nested deeply.
	maxStack = 256 << 20
	// maxText bounds the text of an error, maxPrint what is printed at once.
	maxText, maxPrint = 64 << 10, 32 << 10
)

// A childJob is the request to a child.
type childJob struct {
	Name     string
	Source   []byte
	Findings []inspect.Finding
	MaxSteps uint64
	Timeout  time.Duration
	Memory   int64
	Exports  bool
}

// A childSays is a message from a child. One field is set.
type childSays struct {
	Ready  bool // the tape was read, and the script begins
	Print  string
	Export *childExport
	Done   *childResult
}

// A childExport asks for a picture; the answer is a text, which is empty if it was written.
type childExport struct {
	At   graph.Pos
	Path string
	How  Picture
}

// A childResult is a Result with bounded texts. The parent knows the name of the script.
type childResult struct {
	Error, Failed bool
	Line, Col     int32
	Text, Trace   string
	Expected      map[int]bool
}

func (r Result) brief() *childResult {
	b := &childResult{Expected: r.Expected}
	if e := r.Err; e != nil {
		b.Error, b.Failed, b.Line, b.Col = true, e.Failed, e.Pos.Line, e.Pos.Col
		b.Text, b.Trace = e.Text[:min(len(e.Text), maxText)], e.Trace[:min(len(e.Trace), maxText)]
	}
	return b
}

func (b *childResult) result(name string) Result {
	r := Result{Expected: b.Expected}
	if b.Error {
		r.Err = &Error{Failed: b.Failed, Pos: syntax.MakePosition(&name, b.Line, b.Col), Text: b.Text, Trace: b.Trace}
	}
	return r
}

// ChildMain runs a script and exits in a process that RunApart has started; in others it does
// nothing. Call it first thing in main.
func ChildMain() {
	if !strings.HasSuffix(role, "="+os.Getenv("GRADTUI_SCRIPT_ROLE")) {
		return
	}
	signal.Ignore(os.Interrupt) // the parent decides what Ctrl-C means
	c := child{in: gob.NewDecoder(os.Stdin), out: gob.NewEncoder(os.Stdout), answers: make(chan string)}
	if err := c.serve(); err != nil {
		fmt.Fprintln(os.Stderr, "script child:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A child is the side that runs the script.
type child struct {
	in      *gob.Decoder
	answers chan string
	mu      sync.Mutex
	out     *gob.Encoder
}

func (c *child) say(m childSays) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Encode(m)
}

func (c *child) serve() error {
	var j childJob
	if err := c.in.Decode(&j); err != nil {
		return err
	}
	go func() { // ends with the parent
		for {
			var answer string
			if c.in.Decode(&answer) != nil {
				os.Exit(1)
			}
			c.answers <- answer
		}
	}()
	file := os.NewFile(3, "tape")
	info, err := file.Stat()
	if err != nil {
		return err
	}
	tape, _, err := tapefile.Read(file, info.Size(), tapefile.Options{})
	if err != nil {
		return err
	}
	found := &inspect.Result{History: inspect.ReadHistory(tape, tape.Len(), inspect.Options{}), Findings: j.Findings}
	debug.FreeOSMemory()
	debug.SetMaxStack(maxStack)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	debug.SetMemoryLimit(int64(m.Sys-m.HeapReleased) + j.Memory*3/4) // from there on garbage is collected often
	if err := errors.Join(worker.LimitMemory(j.Memory), worker.LimitAddressSpace(j.Memory), worker.LimitProcessorTime(worker.Processors*j.Timeout)); err != nil {
		return err
	}
	if err := c.say(childSays{Ready: true}); err != nil {
		return err
	}
	o := Options{Print: c, MaxSteps: j.MaxSteps, Timeout: j.Timeout, overdue: c.overdue}
	if j.Exports {
		o.Export = func(g *graph.Graph, path string, how Picture) error {
			if err := c.say(childSays{Export: &childExport{g.Pos(), path, how}}); err != nil {
				return err
			}
			if answer := <-c.answers; answer != "" {
				return errors.New(answer)
			}
			return nil
		}
	}
	return c.say(childSays{Done: Run(context.Background(), j.Name, j.Source, found, o).brief()})
}

// Write sends what a script prints, in pieces.
func (c *child) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n := min(len(rest), maxPrint)
		if err := c.say(childSays{Print: string(rest[:n])}); err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	return len(b), nil
}

// overdue ends the process when a script has not noticed that its time is up.
func (c *child) overdue(e *Error) {
	if c.say(childSays{Done: Result{Err: e}.brief()}) == nil {
		os.Exit(0)
	}
	os.Exit(1)
}

// RunApart runs a script as Run does, in a process of its own that ends when it takes more time or
// memory than it may. The program must call ChildMain.
func RunApart(ctx context.Context, name string, source []byte, found *inspect.Result, o Options) Result {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	failed := func(format string, args ...any) Result {
		return Result{Err: &Error{Pos: syntax.MakePosition(&name, 0, 0), Text: fmt.Sprintf(format, args...)}}
	}
	file, err := nameless(found.History.Tape())
	if err != nil {
		return failed("cannot give the tape to the script: %v", err)
	}
	defer file.Close()
	// The tape is read before the limit on memory is set.
	p, err := worker.Start(1<<62, role, file)
	if err != nil {
		return failed("%v", err)
	}
	defer p.Stop()
	defer context.AfterFunc(ctx, p.Kill)()
	in, out := gob.NewEncoder(p.In), gob.NewDecoder(p.Out)
	go in.Encode(childJob{name, source, found.Findings, o.MaxSteps, o.Timeout, o.Memory, o.Export != nil})
	var late atomic.Bool
	ready := false
	for {
		var m childSays
		if err := out.Decode(&m); err != nil {
			p.Stop()
			said := p.Stderr.String()
			switch {
			case ctx.Err() != nil:
				return failed("interrupted")
			case late.Load():
				return failed("it did not finish within %s", o.Timeout)
			case worker.OutOfMemory(said), strings.Contains(said, "pthread_create failed"):
				return failed("it exceeded the memory limit of %d MiB on top of the tape", o.Memory>>20)
			case strings.Contains(said, "stack overflow"):
				return failed("a value is nested too deeply")
			}
			if ready { // Go has many ways to die of a lack of memory
				return failed("its process died (%v), probably because it exceeded the memory limit of %d MiB on top of the tape", p.Cmd.ProcessState, o.Memory>>20)
			}
			first, _, _ := strings.Cut(said, "\n")
			return failed("its process did not start (%v): %s", p.Cmd.ProcessState, first)
		}
		switch {
		case m.Ready:
			ready = true
			timer := time.AfterFunc(o.Timeout+4*grace, func() { late.Store(true); p.Kill() })
			defer timer.Stop()
		case m.Export != nil:
			answer := ""
			if err := exportAt(found.History.Tape(), *m.Export, o); err != nil {
				answer = err.Error()
			}
			if err := in.Encode(answer); err != nil {
				return failed("%v", err)
			}
		case m.Done != nil:
			return m.Done.result(name)
		default:
			io.WriteString(o.Print, m.Print)
		}
	}
}

func exportAt(tape *graph.Tape, e childExport, o Options) error {
	if o.Export == nil || e.At < 0 || e.At > tape.Len() {
		return errors.New("export is not available here")
	}
	return o.Export(tape.CursorAt(e.At).Graph(), e.Path, e.How)
}

// nameless returns an unlinked file with a tape.
func nameless(tape *graph.Tape) (file *os.File, err error) {
	if file, err = os.CreateTemp("", "gradtui-script-*"); err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	w, err := tapefile.NewWriter(file, tape.Info(), tapefile.WriterOptions{})
	if err == nil {
		err = errors.Join(w.Flush(tape), w.Close())
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// callPosition returns the line of the script whose call is still running. The thread stands still
// in a builtin function, so its frames can be read from outside; if they cannot, nothing is known.
func callPosition(thread *starlark.Thread, name string) (pos syntax.Position) {
	defer func() {
		if recover() != nil {
			pos = syntax.MakePosition(&name, 0, 0)
		}
	}()
	for i := range thread.CallStackDepth() {
		if p := thread.CallFrame(i).Pos; p.Filename() != "<builtin>" {
			return p
		}
	}
	return syntax.MakePosition(&name, 0, 0)
}
