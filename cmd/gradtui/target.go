package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/regular"
)

// programFlags say how a program is run and how much of it is recorded.
type programFlags struct {
	events uint32
	bytes  uint64
	python pythonFlags
	ranks  rankFlags
	flags  *pflag.FlagSet
	script bool // a file whose name does not say what it is, is a Python program
	// endAtLimit ends the program when recording stops: nothing more is wanted of it.
	endAtLimit bool
	held       uint64 // bytes of tensors in use at which recording stops; 0: no limit
}

// defaultTapeBytes are some 25 million events. With the graph that it folds to, a
// tape takes about twice as much memory.
const defaultTapeBytes = 1 << 30

func (f *programFlags) add(c *cobra.Command) {
	f.flags = c.Flags()
	f.flags.Uint32Var(&f.events, "max-events", 0, f.after()+" after this many events (0: no limit)")
	f.flags.Uint64Var(&f.bytes, "max-tape-bytes", defaultTapeBytes, f.after()+" when the tape takes this much memory (0: no limit)")
	f.flags.BoolVar(&f.script, "program", false, "a file without an extension is a Python program, and not a tape")
	f.python.add(c)
}

// forTape checks that nothing was asked for that only a program can do.
func (f *programFlags) forTape(target string) error {
	if f.flags.Changed("max-events") || f.flags.Changed("max-tape-bytes") {
		return fmt.Errorf("%s is a tape: --max-events and --max-tape-bytes bound what a program records", oneLine(target))
	}
	if f.python.given(f.flags) {
		return fmt.Errorf("%s is a tape: --python and --engine are for Python programs", oneLine(target))
	}
	return nil
}

func (f *programFlags) limits() graph.Limits {
	return graph.Limits{Events: int(f.events), Bytes: int64(min(f.bytes, math.MaxInt64))}
}

// explainFlag adds to an error about a flag where those of the program go.
func explainFlag(c *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown ") {
		return fmt.Errorf("%w; what follows -- is the program's, as in: -- --epochs 3", nearFlag(c, err))
	}
	return err
}

// A target is what an argument names. This file alone decides whether that is a tape,
// which is only ever read, or a program, which is run: by its name, by what sort of file
// it is, or by a flag. What a file contains can make it a tape, never a program that a
// command runs which takes tapes, too.
type target struct {
	name     string
	tape     bool
	language launch.Language // of a program
}

// byExtension say what a name means, whatever there is under it.
var byExtension = map[string]target{
	".tape": {tape: true},
	".py":   {language: launch.Python},
	".pyw":  {language: launch.Python},
	".pyz":  {language: launch.Python},
	".pyzw": {language: launch.Python},
	".go":   {language: launch.Go},
}

// stdin names standard input.
const stdin = "-"

// extension is that of a name in lower case; the number of an iteration is no part of it.
func extension(name string) string {
	ext := strings.ToLower(filepath.Ext(filepath.Clean(name)))
	ext, _, _ = strings.Cut(ext, "#")
	return ext
}

// target says what an argument of a command names that takes tapes and programs.
func (f *programFlags) target(name string) (target, error) {
	return f.named(name, func(start []byte) (target, error) {
		if f.script {
			return target{language: launch.Python}, nil
		}
		if pythonScript(start) {
			return target{}, fmt.Errorf("%s would be read as a tape, which it is not: --program says that it is a Python program", oneLine(name))
		}
		return target{tape: true}, nil
	})
}

// runnable says what an argument of a command names that takes programs only.
func (f *programFlags) runnable(name string) (target, error) {
	t, err := f.named(name, func(start []byte) (target, error) {
		if f.script || pythonScript(start) {
			return target{language: launch.Python}, nil
		}
		return target{}, fmt.Errorf("%s does not say what it is, by its extension or its first line: --program runs it as a Python program", oneLine(name))
	})
	if err == nil && t.tape {
		err = fmt.Errorf("%s is a tape, which is read and never run: gradtui open shows it", oneLine(name))
	}
	return t, err
}

// named says what an argument names. unsaid decides about a file whose name does not say
// it, and which does not begin as a tape does.
func (f *programFlags) named(name string, unsaid func(start []byte) (target, error)) (t target, err error) {
	t, known := byExtension[extension(name)]
	switch {
	case f.ranks.module, name == stdin, name == launch.Torchrun:
		t = target{language: launch.Python}
	case t.tape && f.script:
		err = fmt.Errorf("%s is a tape by its name, and a tape is never run: rename the file if it is a program", oneLine(name))
	case !known:
		t, err = f.found(name, unsaid)
	}
	t.name = name
	return t, err
}

// found says what there is under a name that does not say it.
func (f *programFlags) found(name string, unsaid func(start []byte) (target, error)) (t target, err error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && importPath(name):
		return target{language: launch.Go}, nil // the go command says whether there is one
	case errors.Is(err, fs.ErrNotExist):
		return t, fmt.Errorf("there is no file or folder %s", oneLine(name))
	case err != nil:
		return t, fmt.Errorf("cannot read %s: %w", oneLine(name), reason(err))
	case info.IsDir():
		return programFolder(name)
	}
	file, err := regular.Open(name)
	if err != nil {
		return t, fmt.Errorf("cannot read %s: %w", oneLine(name), reason(err))
	}
	defer file.Close()
	start := make([]byte, 128)
	n, err := io.ReadFull(file, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return t, fmt.Errorf("cannot read %s: %w", oneLine(name), reason(err))
	}
	switch begins := tapefile.Begins(start[:n]); {
	case begins && f.script:
		return t, fmt.Errorf("%s begins as a tape does, and a tape is never run", oneLine(name))
	case begins:
		return target{tape: true}, nil
	}
	return unsaid(start[:n])
}

// importPath reports whether a name can only be the import path of a Go package.
func importPath(name string) bool {
	return strings.Contains(name, "/") && !strings.HasPrefix(name, ".") && !filepath.IsAbs(name)
}

// pythonScript reports whether a file begins with a line that names Python.
func pythonScript(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	return bytes.HasPrefix(line, []byte("#!")) && bytes.Contains(line, []byte("python"))
}

// maxNamed is how many files of a folder a message names.
const maxNamed = 5

// programFolder says what program a folder is.
func programFolder(name string) (t target, err error) {
	entries, err := os.ReadDir(name)
	if err != nil {
		return t, fmt.Errorf("cannot read %s: %w", oneLine(name), reason(err))
	}
	var scripts []string
	isGo := false
	for _, e := range entries {
		switch ext := filepath.Ext(e.Name()); {
		case e.Name() == "__main__.py":
			return target{language: launch.Python}, nil
		case ext == ".py":
			scripts = append(scripts, e.Name())
		case ext == ".go":
			isGo = true
		}
	}
	switch more := len(scripts) - maxNamed; {
	case isGo:
		return target{language: launch.Go}, nil
	case len(scripts) == 0:
		return t, fmt.Errorf("%s is a folder without a program: there is no __main__.py, and no Go package", oneLine(name))
	default:
		first := filepath.Join(name, scripts[0])
		if i := slices.Index(scripts, "main.py"); i >= 0 {
			first = filepath.Join(name, scripts[i])
		}
		list := strings.Join(scripts[:min(len(scripts), maxNamed)], ", ")
		if more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		return t, fmt.Errorf("%s is a folder without a __main__.py: name one of its files (%s), as in: %s", oneLine(name), oneLine(list), oneLine(first))
	}
}

// tapeName checks the name of a tape for commands that take nothing else.
func tapeName(name string) error {
	if name == stdin {
		return errors.New("- is standard input, and a tape has to be a file: it is read more than once")
	}
	return nil
}

// openTape reads a tape from a file. Damage at its end is reported, and what
// comes before it is used.
func openTape(path string, warn io.Writer) (*graph.Tape, error) {
	tape, damage, err := readTape(path, warn)
	if damage != "" {
		fmt.Fprintln(warn, "gradtui:", oneLine(damage))
	}
	return tape, err
}

// readTape reads a tape from a file and says what is wrong with the end of it.
func readTape(path string, w io.Writer) (tape *graph.Tape, damage string, err error) {
	if err := tapeName(path); err != nil {
		return nil, "", err
	}
	frugal(path)
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		return nil, "", readError(path, err)
	}
	defer r.Close()
	done := working(w, "reading "+shortName(path), eventsOf(r.Tape()))
	tape, report, err := r.All()
	done()
	switch {
	case err != nil:
		return nil, "", readError(path, err)
	case report.Damage != nil:
		damage = fmt.Sprintf("%s: %s; using the %d events before it", path, report.Damage, tape.Len())
	case report.Truncated:
		damage = fmt.Sprintf("%s ends in the middle of a block, as it does when gradtui was killed while it recorded; using its %d whole events", path, tape.Len())
	case !report.Closed:
		damage = fmt.Sprintf("%s has no end: gradtui was killed while it recorded, or records still; using the %d events before it", path, tape.Len())
	}
	return tape, damage, nil
}

// A finished program is what is known after it has run.
type finished struct {
	launch.End
	ran bool // by this command; otherwise its tape was read
	// readLeftOut reads source files in the folder of the program; nil for a tape that was
	// read, of which only what is on it is shown.
	readLeftOut func(name string, e *graph.SourceRead) ([]byte, error)
	missing     string // what the tape does not have; "" if it has all
	told        bool   // the user knows what is missing
	advice      string // how a program that has failed for what the engine lacks runs on PyTorch
}

// warn says what the tape and the engine do not have.
func (f *finished) warn(w io.Writer) {
	if f.missing != "" && !f.told {
		fmt.Fprintln(w, "gradtui:", oneLine(f.missing))
	}
	if f.advice != "" {
		fmt.Fprintln(notes(w), "gradtui: the built-in engine does not have what the program needs;", f.advice)
	}
}

// run runs a program to its end. own are the program's streams; tape gets the events
// while it runs. variables are asked for at the end of a Python program.
func (f *programFlags) run(ctx context.Context, s, own streams, p *launch.Program, tape *graph.Tape, variables ...string) (*finished, error) {
	ctx, wait := f.watch(ctx, s.err, tape)
	defer wait()
	p.Variables = variables
	p.Stdin, p.Stdout, p.Stderr = own.in, raw(own.out), raw(own.err)
	if err := f.prepare(ctx, s, p); err != nil {
		return nil, adviseTorch(ctx, p, err)
	}
	over := f.running(s, own, p, eventsOf(tape))
	end, err := p.Run(ctx, tape)
	over()
	if err != nil {
		return nil, explainBuild(s.err, adviseTorch(ctx, p, err))
	}
	if !end.Recorded && !f.python.plain {
		fmt.Fprintf(s.err, "gradtui: nothing was recorded: the program ended before it imported torch\n")
	}
	done := finish(tape, end)
	done.readLeftOut = p.Folder().Read
	if !f.python.plain {
		done.advice = lacking(ctx, p, tape, end)
	}
	return done, nil
}

// prepare says what a program is going to run on, if it is not what one would expect, or with
// --verbose.
func (f *programFlags) prepare(ctx context.Context, s streams, p *launch.Program) error {
	if f.python.plain {
		return nil
	}
	if err := p.Prepare(ctx); err != nil {
		return err
	}
	describeRun(s.err, p)
	return f.python.mentionTorch(ctx, s.err, p)
}

// program is what the flags and arguments ask for. What there is to say while it is
// started goes to s.
func (f *programFlags) program(s streams, t target, args []string) (*launch.Program, error) {
	p := &launch.Program{
		Name: t.name, Language: t.language, Args: args, Python: f.python.named, Engine: f.python.engine,
		Module: f.ranks.module, Ranks: f.ranks.number, Launcher: f.ranks.launcher,
	}
	if f.ranks.number < 0 || f.ranks.number > 0 && f.ranks.launcher {
		return nil, errors.New("--ranks: give the number of processes; --launcher is for a program that starts them itself")
	}
	if !p.IsPython() && (f.python.given(f.flags) || p.Distributed()) {
		return nil, fmt.Errorf("%s is a Go package: --python, --engine and --ranks are for Python programs", oneLine(t.name))
	}
	if !f.python.plain {
		p.Skipped = func(c python.Candidate) {
			fmt.Fprintf(notes(s.err), "gradtui: not used: %s: %s\n", oneLine(c.String()), oneLine(c.Problem.Error()))
		}
		p.NoCache = func(why error) {
			fmt.Fprintf(notes(s.err), "gradtui: the cache is not used, so this start takes longer: %s\n", oneLine(why.Error()))
		}
	}
	return p, nil
}

// finish notes what is missing on the tape.
func finish(tape *graph.Tape, end *launch.End) *finished {
	f := &finished{End: *end, ran: true}
	if end.Damaged != nil {
		f.missing = "the end of the tape is missing: " + end.Damaged.Error()
	} else if why := tape.Stopped(); why != "" {
		f.missing, f.told = "the recording is not complete: "+why, true
	}
	return f
}

// explainBuild shows what the compiler said, if that is what the error is about.
func explainBuild(w io.Writer, err error) error {
	var build *capture.BuildError
	if errors.As(err, &build) {
		fmt.Fprint(w, printable(build.Output))
	}
	return err
}

// load gives the tape of a program or of a file, and how the program ended.
func (f *programFlags) load(ctx context.Context, s, own streams, name string, args []string, variables ...string) (*graph.Tape, *finished, error) {
	t, err := f.target(name)
	if err != nil {
		return nil, nil, err
	}
	if t.tape {
		if len(args) > 0 {
			return nil, nil, fmt.Errorf("%s is a tape, which takes no arguments", oneLine(name))
		}
		return f.loadTape(s, name)
	}
	tape := graph.NewTape(f.limits())
	p, err := f.program(s, t, args)
	if err != nil {
		return nil, nil, err
	}
	end, err := f.run(ctx, s, own, p, tape, variables...)
	if err != nil {
		return nil, nil, err
	}
	return tape, end, nil
}

// loadTape gives the tape of a file.
func (f *programFlags) loadTape(s streams, name string) (*graph.Tape, *finished, error) {
	if err := f.forTape(name); err != nil {
		return nil, nil, err
	}
	noteNewer(s.err, name)
	tape, damage, err := readTape(name, s.err)
	if out, ok := details(s.err); ok && err == nil {
		fmt.Fprintf(out, "gradtui: %s was recorded with engine %s\n", oneLine(name), oneLine(tape.Info().Engine))
	}
	return tape, &finished{End: launch.End{Recorded: true}, missing: damage}, err
}
