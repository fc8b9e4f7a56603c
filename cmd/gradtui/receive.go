package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/checks"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/report"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// receiveCommand is for the Python package gradtui, which starts it as a child of the
// program that is recorded: one line of standard input asks for a recording, and two lines
// of standard output answer, when the program may connect and when the recording is over.
func receiveCommand(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:    "receive",
		Short:  "Take recordings of the program that has started gradtui",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			signal.Ignore(os.Interrupt) // it is meant for the program
			return receive(cmd.Context(), s)
		},
	}
}

// An order asks for a recording.
type order struct {
	Output string `json:"output"` // the file; "": none
	Force  bool   `json:"force"`  // overwrite the file
	Check  bool   `json:"check"`  // report what is wrong with the program
	FailOn string `json:"fail_on"`
	// Step is the step that is audited, instead of looking for known causes; 0: none is.
	Step       int    `json:"step"`
	Directions int    `json:"directions"`
	Values     string `json:"values"` // as --values of gradtui record
	Folder     string `json:"folder"` // where the project file is looked for; "": none is
}

// A place says where the program has to connect, or why it need not.
type place struct {
	Folder string `json:"folder,omitempty"`
	Error  string `json:"error,omitempty"`
}

// An outcome is the result of a recording.
type outcome struct {
	Events  int             `json:"events"`
	Error   string          `json:"error,omitempty"`   // of writing the file, or of the check
	Missing string          `json:"missing,omitempty"` // what is not on the tape
	Failing int             `json:"failing"`           // findings that fail the check
	Text    string          `json:"text,omitempty"`    // what is wrong, for people
	Report  json.RawMessage `json:"report,omitempty"`  // as gradtui check --format json
}

func receive(ctx context.Context, s cli.Streams) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	orders := make(chan order)
	go func() {
		defer cancel() // the program has ended
		defer close(orders)
		in := json.NewDecoder(s.In)
		for {
			var o order
			if in.Decode(&o) != nil {
				return
			}
			select {
			case orders <- o:
			case <-ctx.Done():
				return
			}
		}
	}()
	for o := range orders {
		if err := o.serve(ctx, s.Out); err != nil {
			return err
		}
	}
	return nil
}

// serve takes one recording.
func (o order) serve(ctx context.Context, out io.Writer) error {
	r, err := pytorch.NewReceiver()
	if err != nil {
		return jsontext.Encode(out, place{Error: err.Error()}, "")
	}
	defer r.Close()
	p, err := o.policy()
	if err != nil {
		return jsontext.Encode(out, place{Error: err.Error()}, "")
	}
	if o.Output != "" && !o.Force && cli.Exists(o.Output) {
		return jsontext.Encode(out, place{Error: o.Output + " exists; force=True overwrites it"}, "")
	}
	if o.Output != "" {
		if err := tapefile.Replaceable(o.Output); err != nil {
			return jsontext.Encode(out, place{Error: err.Error()}, "")
		}
	}
	var values target.Values
	if err := values.Set(o.Values); err != nil {
		return jsontext.Encode(out, place{Error: "values=" + err.Error()}, "")
	}
	if err := jsontext.Encode(out, place{Folder: r.Folder()}, ""); err != nil {
		return err
	}
	guest, err := r.Accept(ctx)
	if err != nil {
		return jsontext.Encode(out, outcome{Error: err.Error()}, "")
	}
	return jsontext.Encode(out, o.take(guest, p, values), "")
}

func (o order) policy() (p policy.Policy, err error) {
	p = policy.Default()
	if o.Folder != "" {
		path, err := policy.FindFile(filepath.Clean(o.Folder))
		if err == nil && path != "" {
			p, err = policy.Load(path, checks.Rules())
		}
		if err != nil {
			return p, err
		}
	}
	if o.FailOn != "" {
		p.FailOn, err = inspect.ParseSeverity(o.FailOn)
	}
	return p, err
}

// take records a program until it says goodbye. It takes everything even if the program ends
// or no process waits for the outcome.
func (o order) take(guest *pytorch.Guest, p policy.Policy, values target.Values) outcome {
	ctx := context.Background()
	tape := graph.NewTape(values.Limits(graph.Limits{Bytes: target.DefaultTapeBytes}))
	program := &launch.Program{Guest: guest}
	keep := target.TapeFile{Path: o.Output, Force: o.Force}
	end, err := keep.While(ctx, tape, program, func() (*target.Finished, error) {
		end, err := program.Run(ctx, tape)
		if err != nil {
			return nil, err
		}
		return target.Finish(tape, end), nil
	})
	if err != nil {
		return outcome{Events: int(tape.Len()), Error: err.Error()}
	}
	result := outcome{Events: int(tape.Len()), Missing: cmp.Or(end.Missing, target.Unmatched(tape))}
	if o.Check {
		if err := result.check(tape, end, p, o.flags()); err != nil {
			result.Error = err.Error()
		}
	}
	return result
}

// flags are the flags of gradtui check, or audit, that do what the order asks for.
func (o order) flags() *checkFlags {
	return &checkFlags{audit: o.Step != 0, only: o.Step != 0, measure: audit.Options{Step: o.Step, Directions: o.Directions}}
}

// check says what is wrong with the program.
func (r *outcome) check(tape *graph.Tape, end *target.Finished, p policy.Policy, f *checkFlags) error {
	m := audit.Measurement{Options: f.measure}
	ran := p.Rules(f.rules(&m))
	c := checks.Checked{Result: inspect.Check(tape, ran, inspect.Options{}), End: end, Part: true}
	found := c.MakeReport(p, ran)
	if err := f.audited(found, &m); err != nil {
		return err
	}
	found.ExitCode = checks.ExitCode(found)
	r.Failing = found.Failing()
	var text, list bytes.Buffer
	for _, f := range []struct {
		name string
		to   io.Writer
	}{{"text", &text}, {"json", &list}} {
		format, err := report.FindFormat(f.name)
		if err == nil {
			err = format.Write(f.to, found, report.Options{})
		}
		if err != nil {
			return err
		}
	}
	r.Text, r.Report = text.String(), list.Bytes()
	return nil
}
