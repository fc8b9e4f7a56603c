package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// RankFlags say how the processes of a distributed program are started.
type RankFlags struct {
	number           int
	launcher, module bool
}

// AddTo adds the flags to a command.
func (f *RankFlags) AddTo(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVarP(&f.module, "module", "m", false, "PROGRAM is the name of a module, as with python -m")
	flags.IntVar(&f.number, "ranks", 0, "start this `number` of processes with torchrun, and record each of\nthem: docs/use/ranks.md")
	flags.BoolVar(&f.launcher, "launcher", false, "PROGRAM is a launcher: record every process it starts with RANK\nset (implied for torchrun)")
}

// A Recording program, or rank of one, is its tape and how it ended.
type Recording struct {
	*graph.Tape
	*Finished
	File    TapeFile // the file that it is in
	stop    func() error
	Session *control.Session // nil: the rank is not controlled
	Ended   chan struct{}    // closed when nothing more comes
}

// who is the rank that a tape is of: "rank 1: ", or "" if it is of a whole program.
func who(info graph.Info) string {
	if info.WorldSize == 0 {
		return ""
	}
	return fmt.Sprintf("rank %d: ", info.Rank)
}

// A RankRecorder takes the ranks of a distributed program while it runs.
type RankRecorder struct {
	Flags   *Flags
	File    TapeFile
	Context context.Context
	Warn    io.Writer
	// Joined, if it is not nil, is called for each rank, and controls it.
	Joined func(t *Recording)

	mu         sync.Mutex
	Recordings []*Recording
}

// RunRanks runs a program that starts several processes, and returns the tape of each, sorted
// by rank.
func (f *Flags) RunRanks(ctx context.Context, s, own cli.Streams, p *launch.Program, keep TapeFile) ([]*Recording, *Finished, error) {
	if err := keep.CheckRanks(p); err != nil {
		return nil, nil, err
	}
	g := &RankRecorder{Flags: f, File: keep, Context: ctx, Warn: s.Err}
	p.Join = g.Join
	p.Stdin, p.Stdout, p.Stderr = own.In, cli.Raw(own.Out), cli.Raw(own.Err)
	if err := f.prepare(ctx, s, p); err != nil {
		return nil, nil, AdviseTorch(ctx, p, err)
	}
	done := f.running(s, own, p, g.far)
	run, err := p.Run(ctx, nil)
	done()
	if err != nil {
		return nil, nil, AdviseTorch(ctx, p, err)
	}
	if len(g.Recordings) == 0 && !f.Python.Plain {
		fmt.Fprintln(s.Err, "gradtui: nothing was recorded: no process with RANK set imported torch")
	}
	all := &Finished{End: *run, Ran: true, ReadLeftOut: p.Folder().Read}
	if run.Damaged != nil {
		all.Missing = run.Damaged.Error()
	}
	slices.SortStableFunc(g.Recordings, func(a, b *Recording) int { return a.Info().Rank - b.Info().Rank })
	for _, t := range g.Recordings {
		end := *run
		end.Damaged = t.Damaged
		t.Finished = Finish(t.Tape, &end)
		if t.Missing != "" {
			t.Missing = who(t.Info()) + t.Missing
		}
	}
	var tapes []*graph.Tape
	for _, t := range g.Recordings {
		tapes = append(tapes, t.Tape)
	}
	noteUnmatched(s.Err, tapes...)
	return g.Recordings, all, nil
}

// far says how many events there are on the tapes of all ranks.
func (g *RankRecorder) far() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var tapes []*graph.Tape
	for _, t := range g.Recordings {
		tapes = append(tapes, t.Tape)
	}
	return cli.CountEvents(tapes...)()
}

// LoadAll gives the tapes of a program or of files, one for each rank of a distributed
// program, and how the program ended.
func (f *Flags) LoadAll(ctx context.Context, s, own cli.Streams, name string, args []string) (tapes []*Recording, all *Finished, err error) {
	t, err := f.Target(name)
	if err != nil {
		return nil, nil, err
	}
	if !t.IsTape {
		p, err := f.Program(s, t, args)
		if err != nil {
			return nil, nil, err
		}
		if p.Distributed() {
			return f.RunRanks(ctx, s, own, p, TapeFile{})
		}
		tape, end, err := f.Load(ctx, s, own, name, args)
		return []*Recording{{Tape: tape, Finished: end}}, end, err
	}
	files := append([]string{name}, args...)
	for _, file := range files {
		if t, err := f.Target(file); err != nil {
			return nil, nil, err
		} else if !t.IsTape {
			return nil, nil, fmt.Errorf("%s is a tape and %s is a program; give tapes or one program", cli.OneLine(name), cli.OneLine(file))
		}
		tape, end, err := f.loadTape(s, file)
		if err != nil {
			return nil, nil, err
		}
		if len(files) > 1 && tape.Info().WorldSize == 0 {
			return nil, nil, fmt.Errorf("%s is not the tape of a rank; several tapes must be the ranks of one program", cli.OneLine(file))
		}
		tapes = append(tapes, &Recording{Tape: tape, Finished: end})
	}
	return tapes, tapes[0].Finished, nil
}

// Join makes the tape of a rank. A rank that the launcher has started again gets another tape.
func (g *RankRecorder) Join(info graph.Info) (engine.Rank, error) {
	t := &Recording{Tape: graph.NewTape(g.Flags.Limits()), Finished: &Finished{}, stop: func() error { return nil }, Ended: make(chan struct{})}
	t.SetInfo(info)
	if err := g.take(t, info); err != nil {
		return engine.Rank{}, err
	}
	if g.Joined != nil {
		t.Session = control.NewSession(control.Command{Interrupt: info.Rank == 0})
		g.Joined(t)
	}
	_, watched := g.Flags.watch(g.Context, g.Warn, t.Tape)
	return engine.Rank{Tape: t.Tape, Session: t.Session, Ended: func(damaged error) {
		watched()
		t.Damaged = damaged
		if err := t.stop(); err != nil && damaged == nil {
			t.Damaged = t.File.failed(err)
		}
		close(t.Ended)
	}}, nil
}

// take gives a tape its file.
func (g *RankRecorder) take(t *Recording, info graph.Info) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := 0
	for _, other := range g.Recordings {
		if other.Info().Rank == info.Rank {
			before++
		}
	}
	if t.File = g.File.ofRank(info.Rank, before); t.File.Path != "" {
		file, err := t.File.file(info)
		if err != nil {
			return err
		}
		t.stop = launch.Keep(file, t.Tape)
	}
	g.Recordings = append(g.Recordings, t)
	return nil
}

// ofRank is where the tape of a rank is kept: t.rank1.tape for t.tape, t.rank1.2.tape if
// there was one before.
func (k TapeFile) ofRank(rank, before int) TapeFile {
	if k.Path == "" {
		return k
	}
	name := strconv.Itoa(rank)
	if before > 0 {
		name += "." + strconv.Itoa(before+1)
	}
	ext := filepath.Ext(k.Path)
	k.Path = strings.TrimSuffix(k.Path, ext) + ".rank" + name + ext
	return k
}

// CheckRanks checks, before the program runs, that the tapes of ranks can be written.
func (k *TapeFile) CheckRanks(program *launch.Program) error {
	if k.Path == "" {
		return nil
	}
	dir, name := filepath.Split(k.Path)
	ext := filepath.Ext(name)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return k.failed(err)
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), strings.TrimSuffix(name, ext)+".rank")
		if !ok || !strings.HasSuffix(number, ext) || number[0] < '0' || number[0] > '9' {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if !k.Force {
			return cli.ErrExists(path)
		}
		if err := errors.Join(cli.NotAnInput(path, cli.Inputs(program.Name, program.Args)...), tapefile.Replaceable(path)); err != nil {
			return fmt.Errorf("cannot write %s: %w", cli.OneLine(path), cli.Reason(err))
		}
	}
	return nil
}

// CheckRanks checks that tapes come from ranks of one program, and sorts them.
func CheckRanks(tapes []*graph.Tape) error {
	slices.SortStableFunc(tapes, func(a, b *graph.Tape) int { return a.Info().Rank - b.Info().Rank })
	if len(tapes) < 2 {
		return fmt.Errorf("this is the tape of one process; give the tapes of two or more ranks")
	}
	for i, t := range tapes {
		info := t.Info()
		switch {
		case info.WorldSize == 0:
			return fmt.Errorf("a tape of %s is not the tape of a rank; use gradtui diff to compare any two tapes", cli.OneLine(info.Program))
		case info.WorldSize != tapes[0].Info().WorldSize:
			return fmt.Errorf("the tapes are from different programs: rank %d of %d, and rank %d of %d",
				tapes[0].Info().Rank, tapes[0].Info().WorldSize, info.Rank, info.WorldSize)
		case i > 0 && info.Rank == tapes[i-1].Info().Rank:
			return fmt.Errorf("two tapes are from rank %d; use gradtui diff to compare any two tapes", info.Rank)
		}
	}
	return nil
}

// Detach lets all ranks go.
func (g *RankRecorder) Detach() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.Recordings {
		t.Session.Detach()
	}
}
