package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// A TapeFile says in which file the tape of a program is kept.
type TapeFile struct {
	Path  string // "": no file
	Force bool

	writer *tapefile.Writer // once the file is there
}

// AddTo adds the flags to a command; usage is the help of --output.
func (k *TapeFile) AddTo(c *cobra.Command, usage string) {
	c.Flags().StringVarP(&k.Path, "output", "o", "", usage)
	c.Flags().BoolVarP(&k.Force, "force", "f", false, "overwrite the file")
}

// Create creates the file for the tape of a prepared program; nil if the tape is not kept.
func (k *TapeFile) Create(ctx context.Context, program *launch.Program) (*tapefile.Writer, error) {
	if k.Path == "" {
		return nil, nil
	}
	if err := cli.NotAnInput(k.Path, cli.Inputs(program.Name, program.Args)...); err != nil {
		return nil, err
	}
	if err := program.Prepare(ctx); err != nil {
		return nil, err
	}
	return k.file(program.Info())
}

// file creates the file for a tape.
func (k *TapeFile) file(info graph.Info) (*tapefile.Writer, error) {
	if k.Path == "-" {
		return nil, errors.New("-o -: standard output belongs to the program; write the tape to a file")
	}
	file, err := tapefile.Create(k.Path, info, tapefile.WriterOptions{Overwrite: k.Force})
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, cli.ErrExists(k.Path)
	case err != nil:
		return nil, fmt.Errorf("cannot write %s: %w", cli.OneLine(k.Path), cli.Reason(err))
	}
	k.writer = file
	return file, nil
}

// While writes the tape to its file while a program runs.
func (k *TapeFile) While(ctx context.Context, tape *graph.Tape, program *launch.Program, run func() (*Finished, error)) (*Finished, error) {
	file, err := k.Create(ctx, program)
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
		k.Discard(tape)
	}
	return end, err
}

// Discard removes the file of an empty tape.
func (k *TapeFile) Discard(tape *graph.Tape) {
	if k.writer != nil && tape.Len() == 0 {
		k.writer.Discard()
	}
}

// failed says that the tape could not be written, and where the written part is.
func (k *TapeFile) failed(err error) error {
	err = fmt.Errorf("writing %s: %w", cli.OneLine(k.Path), cli.Reason(err))
	if k.writer == nil || k.writer.Path() == "" || k.writer.Path() == k.Path {
		return err
	}
	return fmt.Errorf("%w; %s is unchanged, and what could be written is in %s", err, cli.OneLine(k.Path), cli.OneLine(k.writer.Path()))
}

// Announce says where the tape is, or that an older one was not replaced.
func (k *TapeFile) Announce(w io.Writer, tape *graph.Tape) {
	switch {
	case k.writer == nil:
	case k.writer.Path() != "":
		fmt.Fprintf(cli.Notes(w), "gradtui: %d events in %s\n", tape.Len(), cli.OneLine(k.writer.Path()))
	case cli.Exists(k.Path):
		fmt.Fprintf(w, "gradtui: %s is unchanged: the new tape has no events\n", cli.OneLine(k.Path))
	}
}
