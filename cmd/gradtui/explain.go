package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/inspect/story"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/jsontext"
	"github.com/gradtui/gradtui/internal/suggest"
)

func explainCommand(s cli.Streams) *cobra.Command {
	var program target.Flags
	var color cli.ColorFlag
	format, at := "", "end"
	c := &cobra.Command{
		Use:   "explain PROGRAM|TAPE NAME [-- ARGS...]",
		Short: "Explain one tensor: what made it, what changed it, where its gradient is",
		Long: `explain describes a tensor and its history: the line that made it, why it is a leaf or
not, what modified it in place, which nodes saved it, which backward passes gave it a
gradient or where the path to the loss breaks, and what keeps it and its graph in
memory.

NAME is a name from the program (loss, train.loss), t17 for tensor 17 of the tape, or,
in a Python program, an expression that starts from a variable it has at its end
(layers[2].weight).`,
		Example: `  gradtui explain train.py loss
  gradtui explain run.tape t17
  gradtui explain run.tape w --at backward:2
  gradtui explain train.py "net.layers[0].weight" --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return fmt.Errorf("%s: missing the name of a tensor, for example:\n%s", cmd.CommandPath(), cmd.Example)
			}
			return cli.TargetArgs("a program or a tape", 2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckFormat(format); err != nil {
				return err
			}
			colored, err := color.Enabled(s.Out, true)
			if err != nil {
				return err
			}
			moment, err := target.ParseMoment(at)
			if err != nil {
				return err
			}
			h, id, err := findTensor(cmd.Context(), s, &program, moment, args[0], args[1], args[2:])
			if err != nil {
				return err
			}
			story, ok := story.Of(h, id)
			if !ok {
				return fmt.Errorf("t%d does not exist yet at --at %s", id, at)
			}
			return cli.Buffered(s.Out, func(w io.Writer) error {
				if format == "json" {
					return jsontext.Encode(w, storyDocument(story), "")
				}
				writeStory(w, console.Paint(colored), h, story)
				return nil
			})
		},
	}
	cli.AddFormat(c, &format)
	c.Flags().StringVar(&at, "at", at, "explain the tensor as of this `moment`: "+target.MomentHelp)
	color.AddTo(c)
	program.AddTo(c)
	c.RegisterFlagCompletionFunc("at", target.CompleteMoments)
	c.ValidArgsFunction = target.CompleteTensors
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

func writeStory(w io.Writer, paint console.Paint, h *inspect.History, s *story.Story) {
	name := fmt.Sprintf("t%d", s.Tensor.ID)
	if s.Name != "" {
		name = fmt.Sprintf("%s (%s)", s.Name, name)
	}
	needs := "does not require grad"
	if s.Tensor.RequiresGrad {
		needs = "requires grad"
	}
	fmt.Fprintf(w, "%s: %s %s%s, %s, version %d, %s\n", paint.In(console.Bold, cli.OneLine(name)), s.Tensor.DType, inspect.ShapeText(s.Tensor.Shape), graph.DeviceText(cli.OneLine(s.Tensor.Device)), needs, s.Tensor.Version, cli.Bytes(s.Bytes))
	if !s.Tensor.Value.Known() {
		writeFact(w, paint, "value", lookup.NoValue(h.Graph().Tape(), s.Tensor))
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
			where := cli.OneLine(cli.CodeLine(f.Span.Frame))
			pad := strings.Repeat(" ", max(24-console.Width(where), 0))
			fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%12s%s%s %s", "", paint.In(console.Cyan, where), pad, cli.OneLine(code)), " "))
		}
	}
}

// writeFact writes a sentence beside its topic.
func writeFact(w io.Writer, paint console.Paint, topic, text string) {
	const indent = 10
	for _, line := range console.Wrap(cli.OneLine(text), cli.TextColumns-indent) {
		fmt.Fprintln(w, paint.In(console.Bold, topic)+strings.Repeat(" ", max(indent-len(topic), 0))+line)
		topic = ""
	}
}

// storyDocument is what explain prints with --format json.
func storyDocument(s *story.Story) *documents.Story {
	doc := &documents.Story{
		Format: documents.ExplainFormat, Version: documents.ExplainVersion, Tensor: s.Tensor.ID, Name: s.Name, DType: s.Tensor.DType.String(), Device: s.Tensor.Device,
		Shape: append([]int{}, s.Tensor.Shape...), Leaf: s.Leaf, RequiresGrad: s.Tensor.RequiresGrad,
		Changes: s.Tensor.Version, Bytes: s.Bytes, Graph: documents.Use(s.Graph), Facts: []documents.Fact{},
	}
	for _, f := range s.Facts {
		j := documents.Fact{Topic: f.Topic, Text: f.Text, Count: f.Count, Last: f.Last, Place: documents.PlaceOf(f.Span.Frame)}
		if f.Span.Known() && f.Span.At >= 0 {
			j.Event = &f.Span.At
		}
		doc.Facts = append(doc.Facts, j)
	}
	return doc
}

// find returns the history of a program or tape up to a moment, and the tensor that a name
// means there.
func findTensor(ctx context.Context, s cli.Streams, f *target.Flags, at target.Moment, target, name string, args []string) (*inspect.History, graph.TensorID, error) {
	tape, end, err := f.Load(ctx, s, s.ToStderr(), target, args, name)
	if err != nil {
		return nil, 0, err
	}
	end.Warn(s.Err)
	pos, err := at.Position(tape)
	if err != nil {
		return nil, 0, err
	}
	seen := inspect.Progress{}
	done := cli.Working(s.Err, "following the tensors", cli.PartOfEvents(&seen, pos))
	h := inspect.ReadHistory(tape, pos, inspect.Options{ReadLeftOut: end.ReadLeftOut, Progress: &seen})
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
			if n == 0 || int(n) > h.TensorCount() {
				return nil, 0, fmt.Errorf("there is no %s: tensors are t1 to t%d", name, h.TensorCount())
			}
			return h, graph.TensorID(n), nil
		}
	}
	return nil, 0, unknownName(h.Graph(), name)
}

// unknownName returns an error about a name that no tensor has.
func unknownName(g *graph.Graph, name string) error {
	if g.TensorCount() == 0 {
		return errors.New("no tensor was recorded")
	}
	return fmt.Errorf("no tensor is called %q%s; tensors are t1, t2, …", name, suggest.Hint(name, namesIn(g)))
}

// namesIn returns the names of tensors.
func namesIn(g *graph.Graph) (names []string) {
	for b := range g.Bindings() {
		names = append(names, b.Name)
	}
	return names
}
