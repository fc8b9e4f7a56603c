package main

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// The documents of the reading commands, as docs/reading.md describes them.

type jsonPlace struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
}

type jsonUse struct {
	Nodes int   `json:"nodes"`
	Bytes int64 `json:"bytes"`
	Graph int64 `json:"graph_bytes"`
}

type jsonRate struct {
	Nodes float64 `json:"nodes"`
	Bytes float64 `json:"bytes"`
}

type jsonLine struct {
	jsonPlace
	Events  int     `json:"events"`
	Ops     int     `json:"ops"`
	Nodes   int     `json:"nodes"`
	Seconds float64 `json:"seconds"`
	Made    int64   `json:"made_bytes"`
	End     jsonUse `json:"end"`
	Peak    jsonUse `json:"peak"`
}

type jsonStat struct {
	Format     string          `json:"format"`
	Version    int             `json:"version"`
	Program    string          `json:"program,omitempty"`
	Engine     string          `json:"engine,omitempty"`
	Stopped    string          `json:"stopped,omitempty"`
	Total      jsonLine        `json:"total"`
	Peak       *jsonPeak       `json:"peak,omitempty"`
	Growth     *jsonGrowth     `json:"growth,omitempty"`
	Lines      []jsonLine      `json:"lines"`
	Iterations []jsonIteration `json:"iterations"`
	Against    []jsonPair      `json:"against,omitempty"`
}

type jsonPeak struct {
	jsonUse
	jsonPlace
	Event     graph.Pos `json:"event"`
	Iteration int       `json:"iteration,omitempty"`
}

type jsonGrowth struct {
	jsonRate
	From  int `json:"from"`
	To    int `json:"to"`
	Lines []struct {
		jsonPlace
		jsonRate
	} `json:"lines"`
}

type jsonIteration struct {
	Number  int       `json:"number"`
	From    graph.Pos `json:"from"`
	To      graph.Pos `json:"to"`
	Ops     int       `json:"ops"`
	Nodes   int       `json:"nodes"`
	Seconds float64   `json:"seconds"`
	Made    int64     `json:"made_bytes"`
	After   jsonUse   `json:"after"`
}

type jsonPair struct {
	jsonPlace
	A jsonLine `json:"a"`
	B jsonLine `json:"b"`
}

func placeOf(f graph.Frame) jsonPlace { return jsonPlace{f.File, f.Line, f.Func} }

func lineOf(l inspect.LineStat) jsonLine {
	return jsonLine{
		placeOf(l.Frame), l.Events, l.Ops, l.Nodes, l.Time.Seconds(), l.Made, jsonUse(l.End), jsonUse(l.Peak),
	}
}

// statDocument is what stat prints with --format json.
func statDocument(tape *graph.Tape, s, other *inspect.Stat) *jsonStat {
	info := tape.Info()
	doc := &jsonStat{
		Format: "gradtui-stat", Version: 1, Program: info.Program, Engine: info.Engine, Stopped: inspect.Stopped(tape),
		Total: lineOf(s.Total), Lines: []jsonLine{}, Iterations: []jsonIteration{},
	}
	if s.Peak.Bytes > 0 {
		doc.Peak = &jsonPeak{jsonUse(s.Peak), placeOf(s.PeakLine), s.PeakAt, s.PeakIteration()}
	}
	if g := s.Growth; g != nil {
		doc.Growth = &jsonGrowth{jsonRate: jsonRate(g.Rate), From: g.From, To: g.To}
		for _, l := range g.Lines {
			doc.Growth.Lines = append(doc.Growth.Lines, struct {
				jsonPlace
				jsonRate
			}{placeOf(l.Frame), jsonRate(l.Grows)})
		}
	}
	for _, l := range s.Heaviest() {
		doc.Lines = append(doc.Lines, lineOf(l))
	}
	for _, t := range s.Iterations {
		doc.Iterations = append(doc.Iterations, jsonIteration{
			t.Number, t.From, t.To, t.Ops, t.Nodes, t.Time.Seconds(), t.Made, jsonUse(t.After),
		})
	}
	if other != nil {
		for _, p := range inspect.Against(s, other) {
			doc.Against = append(doc.Against, jsonPair{placeOf(p.Place()), lineOf(p.A), lineOf(p.B)})
		}
	}
	return doc
}
