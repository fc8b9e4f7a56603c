package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/jsontext"
	"github.com/gradtui/gradtui/internal/near"
)

func explainCommand(s streams) *cobra.Command {
	var program programFlags
	var color colorFlag
	format, at := "", "end"
	c := &cobra.Command{
		Use:   "explain PROGRAM|TAPE NAME [-- ARGS...]",
		Short: "Tell one tensor's story: what made it, what changed it, where its gradient is",
		Long: `explain tells what a tensor is and what happened to it: the line that made it, why it
is a leaf or not, what changed it in place, which nodes saved it, which backward
passes brought it a gradient or on which line the way to the loss breaks off, and who
keeps it and its graph in memory.

NAME is a name that the program gave it (loss, train.loss), t17 for tensor 17 of the
tape, or, in a Python program, what is reached from a variable of its end
(layers[2].weight).`,
		Example: `  gradtui explain train.py loss
  gradtui explain run.tape t17
  gradtui explain run.tape w --at backward:2
  gradtui explain train.py "net.layers[0].weight" --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return fmt.Errorf("%s: which tensor? give its name, as in\n%s", cmd.CommandPath(), cmd.Example)
			}
			return targetArgs("a program or a tape", 2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			colored, err := color.in(s.out, true)
			if err != nil {
				return err
			}
			moment, err := parseMoment(at)
			if err != nil {
				return err
			}
			h, id, err := program.find(cmd.Context(), s, moment, args[0], args[1], args[2:])
			if err != nil {
				return err
			}
			story, ok := h.Story(id)
			if !ok {
				return fmt.Errorf("t%d does not exist yet at --at %s", id, at)
			}
			return buffered(s.out, func(w io.Writer) error {
				if format == "json" {
					return jsontext.Encode(w, storyDocument(story), "")
				}
				writeStory(w, console.Paint(colored), h, story)
				return nil
			})
		},
	}
	addFormat(c, &format)
	c.Flags().StringVar(&at, "at", at, "the `moment` of which it is told: "+momentHelp)
	color.add(c)
	program.add(c)
	c.RegisterFlagCompletionFunc("at", completeMoments)
	c.ValidArgsFunction = completeTensors
	c.SetFlagErrorFunc(explainFlag)
	return c
}

// find gives the history of a program or tape until a moment and the tensor that a
// name means there.
func (f *programFlags) find(ctx context.Context, s streams, at moment, target, name string, args []string) (*inspect.History, graph.TensorID, error) {
	tape, end, err := f.load(ctx, s, streams{s.in, s.err, s.err}, target, args, name)
	if err != nil {
		return nil, 0, err
	}
	end.warn(s.err)
	pos, err := at.find(tape)
	if err != nil {
		return nil, 0, err
	}
	seen := inspect.Progress{}
	done := working(s.err, "following the tensors", partOfEvents(&seen, pos))
	h := inspect.ReadHistory(tape, pos, inspect.Options{ReadLeftOut: end.readLeftOut, Progress: &seen})
	done()
	if id, ok := h.Graph().Lookup(name); ok {
		return h, id, nil
	}
	if v, ok := end.Variables[name]; ok && len(v.Tensors) > 0 {
		if len(v.Tensors) == 1 {
			return h, v.Tensors[0].ID, nil
		}
		return nil, 0, fmt.Errorf("%s holds %d tensors: name one of them, such as t%d", name, len(v.Tensors), v.Tensors[0].ID)
	}
	if number, ok := strings.CutPrefix(name, "t"); ok {
		if n, err := strconv.ParseUint(number, 10, 32); err == nil {
			if n == 0 || int(n) > h.Tensors() {
				return nil, 0, fmt.Errorf("there is no %s: tensors are t1 to t%d", name, h.Tensors())
			}
			return h, graph.TensorID(n), nil
		}
	}
	return nil, 0, unknownName(h.Graph(), name)
}

// unknownName is an error about a name that no tensor has.
func unknownName(g *graph.Graph, name string) error {
	if g.TensorCount() == 0 {
		return errors.New("no tensor was recorded")
	}
	return fmt.Errorf("no tensor is called %q%s; t1 is the first one", name, near.Hint(name, namesIn(g)))
}

// namesIn are the names of tensors.
func namesIn(g *graph.Graph) (names []string) {
	for b := range g.Bindings() {
		names = append(names, b.Name)
	}
	return names
}

func writeStory(w io.Writer, paint console.Paint, h *inspect.History, s *inspect.Story) {
	name := fmt.Sprintf("t%d", s.Tensor.ID)
	if s.Name != "" {
		name = fmt.Sprintf("%s (%s)", s.Name, name)
	}
	needs := "does not require grad"
	if s.Tensor.RequiresGrad {
		needs = "requires grad"
	}
	fmt.Fprintf(w, "%s: %s %v%s, %s, version %d, %s\n", paint.In(console.Bold, oneLine(name)), s.Tensor.DType, s.Tensor.Shape, graph.DeviceText(oneLine(s.Tensor.Device)), needs, s.Tensor.Version, bytesOf(s.Bytes))
	if !s.Tensor.Value.Known() {
		writeFact(w, paint, "value", inspect.NoValue(h.Graph().Tape(), s.Tensor))
	}
	topic := ""
	for _, f := range s.Facts {
		label := ""
		if f.Topic != topic {
			topic, label = f.Topic, f.Topic
		}
		writeFact(w, paint, label, f.Text)
		if f.Count > 1 {
			writeFact(w, paint, "", fmt.Sprintf("%d times; the last one: %s", f.Count, f.Last))
		}
		if f.Span.Known() {
			code, _, more := strings.Cut(strings.TrimSpace(h.Text(f.Span.Frame)), "\n")
			if more {
				code += " …"
			}
			where := oneLine(codeLine(f.Span.Frame))
			pad := strings.Repeat(" ", max(24-console.Width(where), 0))
			fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%12s%s%s %s", "", paint.In(console.Cyan, where), pad, oneLine(code)), " "))
		}
	}
}

// writeFact writes a sentence beside its topic.
func writeFact(w io.Writer, paint console.Paint, topic, text string) {
	const indent = 10
	for _, line := range console.Wrap(oneLine(text), textColumns-indent) {
		fmt.Fprintln(w, paint.In(console.Bold, topic)+strings.Repeat(" ", max(indent-len(topic), 0))+line)
		topic = ""
	}
}
