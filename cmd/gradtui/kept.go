package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// kept says in which file the tape of a program is kept.
type kept struct {
	path  string // "": in none
	force bool

	writer *tapefile.Writer // once the file is there
}

func (k *kept) add(c *cobra.Command, usage string) {
	c.Flags().StringVarP(&k.path, "output", "o", "", usage)
	c.Flags().BoolVarP(&k.force, "force", "f", false, "overwrite the file")
}

// create creates the file for the tape of a program, which is prepared; nil: there is to
// be none.
func (k *kept) create(ctx context.Context, program *launch.Program) (*tapefile.Writer, error) {
	if k.path == "" {
		return nil, nil
	}
	if err := notAnInput(k.path, inputs(program.Name, program.Args)...); err != nil {
		return nil, err
	}
	if err := program.Prepare(ctx); err != nil {
		return nil, err
	}
	return k.file(program.Info())
}

func fileExists(path string) error {
	return fmt.Errorf("%s exists; --force overwrites it", oneLine(path))
}

// file creates the file for a tape.
func (k *kept) file(info graph.Info) (*tapefile.Writer, error) {
	if k.path == "-" {
		return nil, errors.New("-o -: standard output is the program's; give the tape a file")
	}
	file, err := tapefile.Create(k.path, info, tapefile.WriterOptions{Overwrite: k.force})
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, fileExists(k.path)
	case err != nil:
		return nil, fmt.Errorf("cannot write %s: %w", oneLine(k.path), reason(err))
	}
	k.writer = file
	return file, nil
}

// while writes the tape to its file while a program runs.
func (k *kept) while(ctx context.Context, tape *graph.Tape, program *launch.Program, run func() (*finished, error)) (*finished, error) {
	file, err := k.create(ctx, program)
	if err != nil {
		return nil, err
	}
	if file == nil {
		return run()
	}
	stop := launch.Keep(file, tape)
	end, err := run()
	if failed := stop(); failed != nil {
		return nil, errors.Join(err, k.failed(failed))
	}
	if err != nil || !end.Recorded {
		k.discard(tape)
	}
	return end, err
}

// discard removes the file of a tape on which nothing is.
func (k *kept) discard(tape *graph.Tape) {
	if k.writer != nil && tape.Len() == 0 {
		k.writer.Discard()
	}
}

// failed says that the tape could not be written, and where what was written is.
func (k *kept) failed(err error) error {
	err = fmt.Errorf("writing %s: %w", oneLine(k.path), reason(err))
	if k.writer == nil || k.writer.Path() == "" || k.writer.Path() == k.path {
		return err
	}
	return fmt.Errorf("%w; %s is as it was, and what could be written is in %s", err, oneLine(k.path), oneLine(k.writer.Path()))
}

// tell says where the tape is, or that an older one was not replaced.
func (k *kept) tell(w io.Writer, tape *graph.Tape) {
	switch {
	case k.writer == nil:
	case k.writer.Path() != "":
		fmt.Fprintf(notes(w), "gradtui: %d events in %s\n", tape.Len(), oneLine(k.writer.Path()))
	case exists(k.path):
		fmt.Fprintf(w, "gradtui: %s is as it was: the new tape has no events\n", oneLine(k.path))
	}
}

// noteNewer says that a tape is going to be replaced by another one, or would have been.
func noteNewer(w io.Writer, path string) {
	if part := tapefile.PartName(path); exists(part) {
		fmt.Fprintf(notes(w), "gradtui: %s is newer than %s: it is still written, or gradtui was killed while it wrote it\n", oneLine(part), oneLine(path))
	}
}
