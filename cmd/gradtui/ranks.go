package main

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

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// rankFlags say how the processes of a distributed program are started.
type rankFlags struct {
	number           int
	launcher, module bool
}

func (f *rankFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVarP(&f.module, "module", "m", false, "PROGRAM is the name of a module, as for python -m")
	flags.IntVar(&f.number, "ranks", 0, "let torchrun start this `number` of processes that run PROGRAM, and\nrecord each of them: docs/ranks.md")
	flags.BoolVar(&f.launcher, "launcher", false, "PROGRAM starts processes that have a RANK: record those (so it is\nfor torchrun, without this flag)")
}

// A recorded program, or rank of one, is its tape and how it ended.
type recorded struct {
	*graph.Tape
	*finished
	keep    kept // the file that it is in
	stop    func() error
	session *control.Session // nil: nobody controls it
	over    chan struct{}    // closed when nothing more comes
}

// who is the rank that a tape is of: "rank 1: ", or "" if it is of a whole program.
func who(info graph.Info) string {
	if info.WorldSize == 0 {
		return ""
	}
	return fmt.Sprintf("rank %d: ", info.Rank)
}

// A gathering takes the ranks of a distributed program while it runs.
type gathering struct {
	flags *programFlags
	keep  kept
	ctx   context.Context
	warn  io.Writer
	// began, if it is not nil, is told of each rank, and controls it.
	began func(t *recorded)

	mu    sync.Mutex
	tapes []*recorded
}

// gather runs a program that starts several processes, and returns the tape of each, sorted
// by rank.
func (f *programFlags) gather(ctx context.Context, s, own streams, p *launch.Program, keep kept) ([]*recorded, *finished, error) {
	if err := keep.canKeepRanks(p); err != nil {
		return nil, nil, err
	}
	g := &gathering{flags: f, keep: keep, ctx: ctx, warn: s.err}
	p.Join = g.join
	p.Stdin, p.Stdout, p.Stderr = own.in, raw(own.out), raw(own.err)
	if err := f.prepare(ctx, s, p); err != nil {
		return nil, nil, adviseTorch(ctx, p, err)
	}
	done := f.running(s, own, p, g.far)
	run, err := p.Run(ctx, nil)
	done()
	if err != nil {
		return nil, nil, adviseTorch(ctx, p, err)
	}
	if len(g.tapes) == 0 && !f.python.plain {
		fmt.Fprintln(s.err, "gradtui: nothing was recorded: no process that has a RANK has imported torch")
	}
	all := &finished{End: *run, ran: true, readLeftOut: p.Folder().Read}
	if run.Damaged != nil {
		all.missing = run.Damaged.Error()
	}
	slices.SortStableFunc(g.tapes, func(a, b *recorded) int { return a.Info().Rank - b.Info().Rank })
	for _, t := range g.tapes {
		end := *run
		end.Damaged = t.Damaged
		t.finished = finish(t.Tape, &end)
		if t.missing != "" {
			t.missing = who(t.Info()) + t.missing
		}
	}
	return g.tapes, all, nil
}

// far says how many events there are on the tapes of all ranks.
func (g *gathering) far() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var tapes []*graph.Tape
	for _, t := range g.tapes {
		tapes = append(tapes, t.Tape)
	}
	return eventsOf(tapes...)()
}

// runRanks runs a program that starts several processes. summary asks for what was recorded.
func (f *programFlags) runRanks(ctx context.Context, s streams, p *launch.Program, keep kept, summary bool) error {
	tapes, all, err := f.gather(ctx, s, s, p, keep)
	if err != nil {
		return err
	}
	all.warn(s.err)
	for _, t := range tapes {
		t.warn(s.err)
		if summary {
			fmt.Fprintf(notes(s.err), "── gradtui recorded rank %d of %d\n", t.Info().Rank, t.Info().WorldSize)
			summarize(notes(s.err), t.Tape, "")
		}
		if summary || !f.python.plain {
			t.keep.tell(s.err, t.Tape)
		}
	}
	return exitError{all.ExitCode}.orNil()
}

// loadAll gives the tapes of a program or of files, one for each rank of a distributed
// program, and how the program ended.
func (f *programFlags) loadAll(ctx context.Context, s, own streams, name string, args []string) (tapes []*recorded, all *finished, err error) {
	t, err := f.target(name)
	if err != nil {
		return nil, nil, err
	}
	if !t.tape {
		p, err := f.program(s, t, args)
		if err != nil {
			return nil, nil, err
		}
		if p.Distributed() {
			return f.gather(ctx, s, own, p, kept{})
		}
		tape, end, err := f.load(ctx, s, own, name, args)
		return []*recorded{{Tape: tape, finished: end}}, end, err
	}
	files := append([]string{name}, args...)
	for _, file := range files {
		if t, err := f.target(file); err != nil {
			return nil, nil, err
		} else if !t.tape {
			return nil, nil, fmt.Errorf("%s is a tape and %s a program: name tapes, or one program", oneLine(name), oneLine(file))
		}
		tape, end, err := f.loadTape(s, file)
		if err != nil {
			return nil, nil, err
		}
		if len(files) > 1 && tape.Info().WorldSize == 0 {
			return nil, nil, fmt.Errorf("%s is no tape of a rank, as several tapes have to be: give it alone", oneLine(file))
		}
		tapes = append(tapes, &recorded{Tape: tape, finished: end})
	}
	return tapes, tapes[0].finished, nil
}

// join makes the tape of a rank. One that the launcher has started anew gets another one.
func (g *gathering) join(info graph.Info) (python.Rank, error) {
	t := &recorded{Tape: graph.NewTape(g.flags.limits()), finished: &finished{}, stop: func() error { return nil }, over: make(chan struct{})}
	t.SetInfo(info)
	if err := g.take(t, info); err != nil {
		return python.Rank{}, err
	}
	if g.began != nil {
		t.session = control.NewSession(control.Command{Interrupt: info.Rank == 0})
		g.began(t)
	}
	_, watched := g.flags.watch(g.ctx, g.warn, t.Tape)
	return python.Rank{Tape: t.Tape, Session: t.session, Ended: func(damaged error) {
		watched()
		t.Damaged = damaged
		if err := t.stop(); err != nil && damaged == nil {
			t.Damaged = t.keep.failed(err)
		}
		close(t.over)
	}}, nil
}

// take gives a tape its file.
func (g *gathering) take(t *recorded, info graph.Info) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := 0
	for _, other := range g.tapes {
		if other.Info().Rank == info.Rank {
			before++
		}
	}
	if t.keep = g.keep.ofRank(info.Rank, before); t.keep.path != "" {
		file, err := t.keep.file(info)
		if err != nil {
			return err
		}
		t.stop = launch.Keep(file, t.Tape)
	}
	g.tapes = append(g.tapes, t)
	return nil
}

// ofRank is where the tape of a rank is kept: t.rank1.tape for t.tape, t.rank1.2.tape if
// there was one before.
func (k kept) ofRank(rank, before int) kept {
	if k.path == "" {
		return k
	}
	name := strconv.Itoa(rank)
	if before > 0 {
		name += "." + strconv.Itoa(before+1)
	}
	ext := filepath.Ext(k.path)
	k.path = strings.TrimSuffix(k.path, ext) + ".rank" + name + ext
	return k
}

// canKeepRanks checks, before the program runs, that the tapes of ranks can be written.
func (k *kept) canKeepRanks(program *launch.Program) error {
	if k.path == "" {
		return nil
	}
	dir, name := filepath.Split(k.path)
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
		if !k.force {
			return fileExists(path)
		}
		if err := errors.Join(notAnInput(path, inputs(program.Name, program.Args)...), tapefile.Replaceable(path)); err != nil {
			return fmt.Errorf("cannot write %s: %w", oneLine(path), reason(err))
		}
	}
	return nil
}
