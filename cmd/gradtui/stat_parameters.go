package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/documents"
)

// writeParameters shows how optimizers changed parameters: norms before and after, the updates, and
// a line of bars for the gradients.
func writeParameters(w io.Writer, paint console.Paint, all []*usage.ParameterStat, top int) {
	if len(all) == 0 {
		fmt.Fprintln(w, "\nno optimizer has updated a parameter")
		return
	}
	table := cli.NewTable(paint, "parameter", "steps", "norm", "at the end", "gradient", "at the end", "update", "gradients, step by step")
	unknown := false
	for _, p := range cli.UpTo(all, top) {
		name := p.Name
		if name == "" {
			name = fmt.Sprintf("t%d", p.Tensor)
		}
		first, last := p.Steps[0], p.Steps[len(p.Steps)-1]
		gradients := make([]float64, len(p.Steps))
		for i, s := range p.Steps {
			gradients[i] = s.Gradient
		}
		unknown = unknown || math.IsNaN(last.Gradient) || math.IsNaN(last.Norm) || math.IsNaN(last.Ratio)
		table.Row(name, len(p.Steps), measure(first.Norm), measure(last.Norm), measure(first.Gradient), measure(last.Gradient), measure(last.Ratio), sparkline(gradients, sparkColumns))
	}
	table.Write(w, len(all))
	fmt.Fprintln(w, "update: the norm of the last change by the norm of the parameter before it; bars are logarithmic")
	if unknown {
		fmt.Fprintln(w, "·: not on the tape; --values full records it")
	}
}

func parameterDocument(p *usage.ParameterStat) documents.Parameter {
	doc := documents.Parameter{Tensor: p.Tensor, Name: p.Name, Shape: append([]int{}, p.Shape...)}
	for _, s := range p.Steps {
		doc.Steps = append(doc.Steps, documents.ParameterStep{Event: s.At, Norm: inJSON(s.Norm), Gradient: inJSON(s.Gradient), Update: inJSON(s.Ratio)})
	}
	return doc
}

// inJSON writes a norm: nil if it is not known.
func inJSON(x float64) json.RawMessage {
	switch {
	case math.IsNaN(x):
		return nil
	case math.IsInf(x, 0):
		return json.RawMessage(`"inf"`)
	}
	return strconv.AppendFloat(nil, x, 'g', -1, 64)
}

// measure writes a norm.
func measure(x float64) string {
	if math.IsNaN(x) {
		return "·"
	}
	return fmt.Sprintf("%.3g", x)
}

// sparkColumns is how many bars a sparkline has at most.
const sparkColumns = 24

// sparkline draws a bar for each number, or for the largest of several, on a logarithmic scale.
// Zero is _, infinity !, what is not known a dot.
func sparkline(numbers []float64, columns int) string {
	if len(numbers) > columns {
		few := make([]float64, columns)
		for i := range few {
			few[i] = math.NaN()
			for _, x := range numbers[i*len(numbers)/columns : (i+1)*len(numbers)/columns] {
				if !(few[i] >= x) && !math.IsNaN(x) {
					few[i] = x
				}
			}
		}
		numbers = few
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range numbers {
		if x > 0 && !math.IsInf(x, 0) {
			lo, hi = min(lo, math.Log(x)), max(hi, math.Log(x))
		}
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	line := make([]rune, len(numbers))
	for i, x := range numbers {
		switch {
		case math.IsNaN(x):
			line[i] = '·'
		case math.IsInf(x, 0):
			line[i] = '!'
		case x == 0:
			line[i] = '_'
		case hi == lo:
			line[i] = bars[len(bars)/2]
		default:
			line[i] = bars[int(math.Round((math.Log(x)-lo)/(hi-lo)*float64(len(bars)-1)))]
		}
	}
	return string(line)
}
