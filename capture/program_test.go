//go:build unix

package capture

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

const target = "./testdata/target"

// built is where binary puts the target.
var built string

// binary is the target, built once.
var binary = sync.OnceValues(func() (string, error) {
	var err error
	if built, err = os.MkdirTemp("", "capture-target"); err != nil {
		return "", err
	}
	return (&Program{Package: target}).build(context.Background(), built)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// record is Program.Run for the target.
func record(t *testing.T, ctx context.Context, p Program, tape *graph.Tape) (*Run, error) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Error(err)
		return &Run{Tape: graph.NewTape(graph.Limits{})}, err
	}
	p.Package = target
	return p.record(ctx, path, tape)
}

// private gives the test a directory for temporary files and, at the end, checks
// that nothing was left in it: no socket, nothing that was built.
func private(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	binary() // elsewhere
	dir, err := os.MkdirTemp("", "capture")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		os.RemoveAll(dir)
	})
}

// ops lists the operators on a tape, then the names.
func ops(tape *graph.Tape) string {
	var ops, names []string
	for p := range tape.Len() {
		switch _, e, _ := tape.At(p); e := e.(type) {
		case *graph.OpRan:
			ops = append(ops, tape.String(e.Op))
		case *graph.NameBound:
			names = append(names, tape.String(e.Name))
		}
	}
	return strings.Join(ops, " ") + "; " + strings.Join(names, " ")
}

func TestATapeArrivesHoweverTheProgramEnds(t *testing.T) {
	private(t)
	for _, c := range []struct {
		how    string
		code   int
		stderr string
	}{
		{"well", 0, ""},
		{"exit", 3, ""},
		{"panic", 2, "panic: as asked"},
		{"error", 1, "second time"},
	} {
		t.Run(c.how, func(t *testing.T) {
			var out, errs bytes.Buffer
			run, err := record(t, t.Context(), Program{Args: []string{c.how}, Stdout: &out, Stderr: &errs}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if run.ExitCode != c.code || run.Damaged != nil || !strings.Contains(errs.String(), c.stderr) || out.Len() > 0 {
				t.Errorf("exit code %d, damage %v, output %q, errors %q", run.ExitCode, run.Damaged, out.String(), errs.String())
			}
			if got := ops(run.Tape); !strings.HasPrefix(got, "mul sum") || !strings.HasSuffix(got, "; x loss") {
				t.Errorf("operators and names: %s", got)
			}
			g := run.Tape.CursorAt(run.Tape.Len()).Graph()
			if want := map[bool]int{false: 1, true: 2}[c.how == "error"]; g.BackwardCount() != want {
				t.Errorf("%d backward passes, want %d", g.BackwardCount(), want)
			}
			info := run.Tape.Info()
			if info.Engine != "builtin" || info.Program != target || len(info.Args) != 1 || info.Args[0] != c.how {
				t.Errorf("info %+v", info)
			}
		})
	}
}

func TestStreamsAreTheProgramsOwn(t *testing.T) {
	private(t)
	input := bytes.Repeat([]byte("\x00\xff\r\n\x1b[31m text"), 20_000)
	var out, errs bytes.Buffer
	p := Program{Args: []string{"copy"}, Stdin: bytes.NewReader(input), Stdout: &out, Stderr: &errs}
	if _, err := record(t, t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), input) || errs.String() != "to stderr" {
		t.Errorf("%d bytes came back of %d; errors %q", out.Len(), len(input), errs.String())
	}
}

func TestTheProgramSeesItsArgumentsAndNoSocket(t *testing.T) {
	private(t)
	var out bytes.Buffer
	p := Program{Args: []string{"environment", "-o"}, Stdout: &out}
	if _, err := record(t, t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	if out.String() != "3-o" {
		t.Errorf("output %q", out.String())
	}
}

// Events are on the tape before the program goes on: at the answer to a line of
// input the operator must be in the socket, and soon on the tape.
func TestEventsArriveWhileTheProgramRuns(t *testing.T) {
	private(t)
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	tape := graph.NewTape(graph.Limits{})
	done := make(chan error, 1)
	go func() {
		_, err := record(t, t.Context(), Program{Args: []string{"steps"}, Stdin: inR, Stdout: outW}, tape)
		outW.Close()
		done <- err
	}()
	answers := bufio.NewScanner(out)
	for range 3 {
		before := tape.Len()
		fmt.Fprintln(in, "go")
		if !answers.Scan() {
			break
		}
		<-tape.Grown(before)
	}
	in.Close()
	io.Copy(io.Discard, out)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := ops(tape); strings.Count(got, "neg") != 3 {
		t.Errorf("operators %s", got)
	}
}

func TestLimitsHoldInTheProgram(t *testing.T) {
	private(t)
	p := Program{Args: []string{"well"}, Limits: graph.Limits{Events: 5}}
	run, err := record(t, t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if run.Tape.Stopped() == "" || run.Tape.Len() > 8 {
		t.Errorf("%d events, stopped: %q", run.Tape.Len(), run.Tape.Stopped())
	}
}

func TestAProgramWithoutTheEngineIsTold(t *testing.T) {
	private(t)
	p := Program{Package: "./testdata/stranger"}
	run, err := p.Run(t.Context(), nil)
	if !errors.Is(err, ErrNotConnected) || !strings.Contains(err.Error(), "import github.com/gradtui/gradtui/autograd") {
		t.Errorf("error %v", err)
	}
	if run == nil || run.ExitCode != 4 || run.Tape.Len() != 0 {
		t.Errorf("run %+v", run)
	}
}

func TestWhatCannotBeBuiltIsExplained(t *testing.T) {
	private(t)
	for _, c := range []struct{ pkg, output, text string }{
		{"./testdata/broken", "undefined: missing", "building ./testdata/broken"},
		{"./testdata/library", "no main packages", "building ./testdata/library"},
		{"./testdata/none", "testdata/none", "building ./testdata/none"},
		{"./testdata/target ./testdata/stranger", "", "building"},
		{"-toolexec=false", "", "building -toolexec=false"},
	} {
		p := Program{Package: c.pkg}
		run, err := p.Run(t.Context(), nil)
		var build *BuildError
		if !errors.As(err, &build) || run != nil {
			t.Errorf("%s: run %v, error %v", c.pkg, run, err)
			continue
		}
		if !strings.Contains(build.Output, c.output) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: output %q, error %v", c.pkg, build.Output, err)
		}
	}
	t.Setenv("PATH", "")
	p := Program{Package: target}
	if _, err := p.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "not on the PATH") {
		t.Errorf("without a go command: %v", err)
	}
}

func TestCancellingEndsTheProgramAndItsChildren(t *testing.T) {
	private(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		run *Run
		err error
	}
	done := make(chan result, 1)
	go func() {
		run, err := record(t, ctx, Program{Args: []string{"wait"}, Stdout: w}, nil)
		w.Close()
		done <- result{run, err}
	}()
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "child runs\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	cancel()
	r := <-done
	if r.err != nil || r.run.ExitCode != 128+int(syscall.SIGINT) {
		t.Fatalf("run %+v, error %v", r.run, r.err)
	}
	// The pipe ends when the last process that could write to it has.
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("rest %q, %v", rest, err)
	}
	if got := ops(r.run.Tape); !strings.HasPrefix(got, "mul sum") {
		t.Errorf("operators %s", got)
	}
}

// An interrupt that gradtui gets alone ends the program, and gradtui goes on with the
// tape.
func TestAnInterruptIsForTheProgram(t *testing.T) {
	for sig, code := range map[syscall.Signal]int{
		syscall.SIGINT:  128 + int(syscall.SIGINT),
		syscall.SIGQUIT: 2, // Go programs show where they are and exit
	} {
		t.Run(sig.String(), func(t *testing.T) { interrupted(t, sig, code) })
	}
}

func interrupted(t *testing.T, sig syscall.Signal, code int) {
	private(t)
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	type result struct {
		run *Run
		err error
	}
	done := make(chan result, 1)
	taken := make(chan os.Signal, 1) // also where this process was started to ignore it
	signal.Notify(taken, sig)
	defer signal.Stop(taken)
	go func() {
		run, err := record(t, t.Context(), Program{Args: []string{"steps"}, Stdin: inR, Stdout: outW}, nil)
		outW.Close()
		done <- result{run, err}
	}()
	fmt.Fprintln(in, "go")
	answers := bufio.NewScanner(out)
	if !answers.Scan() {
		t.Fatal("the program does not answer")
	}
	if err := syscall.Kill(os.Getpid(), sig); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out)
	inR.Close()
	r := <-done
	if r.err != nil || r.run.ExitCode != code || !strings.Contains(ops(r.run.Tape), "neg") {
		t.Errorf("run %+v, error %v", r.run, r.err)
	}
}

func TestRunBuildsAndRecords(t *testing.T) {
	private(t)
	p := Program{Package: target, Args: []string{"exit"}}
	run, err := p.Run(t.Context(), nil)
	if err != nil || run.ExitCode != 3 || !strings.HasPrefix(ops(run.Tape), "mul sum") {
		t.Errorf("run %+v, error %v", run, err)
	}
}

func TestCancellingBeforeTheStart(t *testing.T) {
	private(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := Program{Package: target, Args: []string{"well"}}
	if run, err := p.Run(ctx, nil); run != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("run %v, error %v", run, err)
	}
}

// A program that gradtui started runs on when gradtui is gone.
func TestTheProgramRunsWithoutGradtui(t *testing.T) {
	private(t)
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "well")
	cmd.Env = append(os.Environ(), "GRADTUI_SOCKET="+filepath.Join(t.TempDir(), "gone"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "gradtui: not recording") {
		t.Errorf("%v: %s", err, out)
	}
}
