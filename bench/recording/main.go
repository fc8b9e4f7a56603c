// Command recording measures what it costs a PyTorch program to be recorded: small
// training loops run as they are, recorded, in the debugger (which wants to know more
// values), there with breakpoints that are not hit, under PyTorch's own profiler with
// shapes and stacks, which is written in C++, under a TorchDispatchMode that does nothing,
// and in anomaly mode, in turns in one process. It prints ratios to the program as it is,
// and the size of the tape. For the small operations there is also what
// the least costs that a recorder written in Python has to do.
//
//	go run ./bench/recording -torch /usr/bin/python3
//	go run ./bench/recording -torch tools/pytorch/python-torch-2.6 -rounds 5 tiny_operations mlp
//
// Ratios compare the processor time of the program, which is the cost. Ratios of elapsed time
// are higher if no processor is free for gradtui. On a busy machine neither means much.
package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

//go:embed models.py
var program string

var models = []string{"tiny_operations", "mlp", "transformer", "cnn"}

// A slice is what the program has measured, in seconds for a step.
type slice struct {
	Record       string // it wants to be recorded so
	Model, Way   string
	CPU, Elapsed float64
}

// A series has all slices of a model in one way.
type series struct{ cpu, elapsed []float64 }

func main() {
	torch := flag.String("torch", "python3", "a Python that has torch")
	pkg := flag.String("package", "python/src", "the folder of gradtui's Python package")
	rounds := flag.Int("rounds", 3, "how often everything is measured")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = models
	}
	if err := run(*torch, *pkg, names, max(*rounds, 1)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(torch, pkg string, names []string, rounds int) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "models.py")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		return err
	}
	if pkg, err = filepath.Abs(pkg); err != nil {
		return err
	}
	measured := map[string]map[string]*series{}
	sizes := map[string]string{}
	for range rounds {
		for _, name := range names {
			if measured[name] == nil {
				measured[name] = map[string]*series{}
			}
			size, err := measure(torch, []string{file, pkg, name}, func(t slice) {
				s := measured[name][t.Way]
				if s == nil {
					s = &series{}
					measured[name][t.Way] = s
				}
				s.cpu, s.elapsed = append(s.cpu, t.CPU), append(s.elapsed, t.Elapsed)
			})
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			sizes[name] = size
		}
	}
	return report(os.Stdout, names, measured, sizes)
}

// measure runs the program once, gives its slices to a function and says how large the
// tape of a recording was.
func measure(torch string, args []string, note func(slice)) (size string, err error) {
	cmd := exec.Command(torch, args...)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "KINETO_LOG_LEVEL=99")
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	var last *recording
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var t slice
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return "", errors.Join(fmt.Errorf("the program printed %q", lines.Text()), cmd.Process.Kill(), cmd.Wait())
		}
		if t.Record == "" {
			note(t)
			continue
		}
		r, err := record(t.Record)
		if err != nil {
			return "", errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		}
		last = r
		fmt.Fprintln(in, r.receiver.Folder())
	}
	if err := errors.Join(lines.Err(), cmd.Wait()); err != nil {
		return "", err
	}
	if last == nil {
		return "", errors.New("nothing was recorded")
	}
	return last.size()
}

// A recording is one that the program has asked for.
type recording struct {
	receiver *pytorch.Receiver
	tape     *graph.Tape
	ended    chan error
}

// record waits for the program to connect, in the background.
func record(how string) (*recording, error) {
	receiver, err := pytorch.NewReceiver()
	if err != nil {
		return nil, err
	}
	var session *control.Session
	if how != "recorded" {
		first := control.Command{Breakpoints: &[]control.Breakpoint{}}
		if how == "breakpoints" {
			*first.Breakpoints = []control.Breakpoint{
				{ID: 1, Query: "models.py:1"},
				{ID: 2, Query: "op conv_transpose*"},
				{ID: 3, Query: "error"},
			}
		}
		session = control.NewSession(first)
	}
	r := &recording{receiver, graph.NewTape(graph.Limits{}), make(chan error, 1)}
	go func() {
		defer receiver.Close()
		guest, err := receiver.Accept(context.Background())
		if err == nil {
			err = guest.Record(context.Background(), r.tape, session)
		}
		r.ended <- err
	}()
	return r, nil
}

// size says how large the tape is in a file, once the recording has ended.
func (r *recording) size() (string, error) {
	select {
	case err := <-r.ended:
		if err != nil {
			return "", err
		}
	case <-time.After(time.Minute):
		return "", errors.New("the recording has not ended")
	}
	var written counter
	file, err := tapefile.NewWriter(&written, r.tape.Info(), tapefile.WriterOptions{})
	if err == nil {
		err = errors.Join(file.Flush(r.tape), file.Close())
	}
	if err != nil {
		return "", err
	}
	operations, d := 0, r.tape.NewDecoder()
	for p := range r.tape.Len() {
		switch kind, err := d.Kind(p); {
		case err != nil:
			return "", err
		case kind == graph.KindOpRan:
			operations++
		}
	}
	return fmt.Sprintf("%.0f kB", float64(written)/float64(max(operations, 1))), nil
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// report prints the ratios. Each side is represented by its lower quartile: what disturbs
// makes things slower, never faster.
func report(w io.Writer, names []string, measured map[string]map[string]*series, sizes map[string]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tas it is, µs\trecorded\t(elapsed)\tin the debugger\tbreakpoints add\tthe least\tprofiler\tno-op dispatch\tanomaly\ttape of 1,000 ops\t")
	for _, name := range names {
		of := measured[name]
		ratio := func(way, to string) float64 { return quartile(of[way].cpu) / quartile(of[to].cpu) }
		least := ""
		if name == "tiny_operations" {
			least = fmt.Sprintf("%.2f", ratio("least", "plain"))
		}
		fmt.Fprintf(t, "%s\t%.0f\t%.2f\t(%.2f)\t%.2f\t%+.1f%%\t%s\t%.2f\t%.2f\t%.2f\t%s\t\n", name, quartile(of["plain"].cpu)*1e6,
			ratio("recorded", "plain"), quartile(of["recorded"].elapsed)/quartile(of["plain"].elapsed), ratio("debugger", "plain"),
			(ratio("breakpoints", "debugger")-1)*100, least, ratio("profiler", "plain"), ratio("dispatch", "plain"), ratio("anomaly", "plain"), sizes[name])
	}
	return t.Flush()
}

func quartile(of []float64) float64 {
	return slices.SortedFunc(slices.Values(of), cmp.Compare[float64])[len(of)/4]
}
