package main

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func placeOf(f graph.Frame) jsonPlace { return jsonPlace{f.File, f.Line, f.Func} }

func lineDocument(l inspect.LineStat) jsonLine {
	return jsonLine{
		placeOf(l.Frame), l.Events, l.Ops, l.Nodes, l.Time.Seconds(), l.Made, jsonUse(l.End), jsonUse(l.Peak),
	}
}

// statDocument is what stat prints with --format json.
func statDocument(tape *graph.Tape, s, other *inspect.Stat) *jsonStat {
	info := tape.Info()
	doc := &jsonStat{
		Format: "gradtui-stat", Version: 1, Program: info.Program, Engine: info.Engine, Stopped: inspect.Stopped(tape),
		Total: lineDocument(s.Total), Lines: []jsonLine{}, Iterations: []jsonIteration{},
	}
	if s.Peak.Bytes > 0 {
		doc.Peak = &jsonPeak{jsonUse(s.Peak), placeOf(s.PeakLine), s.PeakAt, s.PeakIteration()}
	}
	for _, d := range s.Devices {
		doc.Devices = append(doc.Devices, jsonDevice{d.Device, jsonDeviceUse{d.End.Bytes, d.End.Graph}, jsonDeviceUse{d.Peak.Bytes, d.Peak.Graph}})
	}
	if g := s.Growth; g != nil {
		doc.Growth = &jsonGrowth{jsonRate: jsonRate(g.Rate), From: g.From, To: g.To, Lines: []jsonGrowthLine{}}
		for _, l := range g.Lines {
			doc.Growth.Lines = append(doc.Growth.Lines, jsonGrowthLine{placeOf(l.Frame), jsonRate(l.Grows)})
		}
	}
	for _, l := range s.Heaviest() {
		doc.Lines = append(doc.Lines, lineDocument(l))
	}
	for _, t := range s.Iterations {
		doc.Iterations = append(doc.Iterations, jsonIteration{
			t.Number, t.From, t.To, t.Ops, t.Nodes, t.Time.Seconds(), t.Made, jsonUse(t.After),
		})
	}
	if other != nil {
		for _, p := range inspect.Against(s, other) {
			doc.Against = append(doc.Against, jsonPair{placeOf(p.Place()), lineDocument(p.A), lineDocument(p.B)})
		}
	}
	return doc
}

// storyDocument is what explain prints with --format json.
func storyDocument(s *inspect.Story) *jsonStory {
	doc := &jsonStory{
		Format: "gradtui-explain", Version: 1, Tensor: s.Tensor.ID, Name: s.Name, DType: s.Tensor.DType.String(), Device: s.Tensor.Device,
		Shape: append([]int{}, s.Tensor.Shape...), Leaf: s.Leaf, RequiresGrad: s.Tensor.RequiresGrad,
		Changes: s.Tensor.Version, Bytes: s.Bytes, Graph: jsonUse(s.Graph), Facts: []jsonFact{},
	}
	for _, f := range s.Facts {
		j := jsonFact{Topic: f.Topic, Text: f.Text, Count: f.Count, Last: f.Last, jsonPlace: placeOf(f.Span.Frame)}
		if f.Span.Known() && f.Span.At >= 0 {
			j.Event = &f.Span.At
		}
		doc.Facts = append(doc.Facts, j)
	}
	return doc
}

// diffDocument is what diff prints with --format json.
func diffDocument(a, b string, d *inspect.Diff) *jsonDiff {
	doc := &jsonDiff{
		Format: "gradtui-diff", Version: 1, A: a, B: b, Same: d.Same(),
		Totals: []jsonTotal{}, Nodes: []jsonNodeDiff{}, Edges: []jsonEdgeDiff{}, Tensors: []jsonTensorDiff{},
	}
	for _, t := range d.Totals {
		doc.Totals = append(doc.Totals, jsonTotal{t.What, t.A, t.B})
	}
	for _, n := range d.Nodes {
		doc.Nodes = append(doc.Nodes, jsonNodeDiff{placeOf(n.Frame), n.Name, n.A, n.B})
	}
	for _, e := range d.Edges {
		doc.Edges = append(doc.Edges, jsonEdgeDiff{placeOf(e.Frame), e.From, e.Input, e.To, e.A, e.B})
	}
	for _, t := range d.Tensors {
		j := jsonTensorDiff{Name: t.Name}
		for _, f := range t.Facts {
			j.Facts = append(j.Facts, jsonTensorFact(f))
		}
		doc.Tensors = append(doc.Tensors, j)
	}
	return doc
}

// ranksDocument is what ranks prints with --format json.
func ranksDocument(d *inspect.RankDiff) *jsonRanks {
	doc := &jsonRanks{Format: "gradtui-ranks", Version: 1, Same: d.Same(), Grads: []jsonRankGrad{}, Graph: forkDocument(d.Graph), Ops: forkDocument(d.Ops)}
	for _, r := range d.Ranks {
		j := jsonRank{Rank: r.Info.Rank, Ops: r.Ops, Nodes: r.Nodes, Passes: r.Passes, Steps: r.Steps, Failed: r.Failed}
		if r.Failed != "" {
			at := placeOf(r.At)
			j.At = &at
		}
		doc.Ranks = append(doc.Ranks, j)
	}
	for _, g := range d.Grads {
		doc.Grads = append(doc.Grads, jsonRankGrad{
			g.Name, append([]int{}, g.Steps...), append([]int{}, g.Got...), append([]int{}, g.Reduced...), append([]int{}, g.Without...),
		})
	}
	return doc
}

func forkDocument(f *inspect.RankFork) *jsonFork {
	if f == nil {
		return nil
	}
	doc := &jsonFork{Number: f.Number}
	for _, w := range f.Ways {
		doc.Ways = append(doc.Ways, jsonWay{w.Ranks, w.Op, w.Module, placeOf(w.Stack.Top()), w.At})
	}
	return doc
}
