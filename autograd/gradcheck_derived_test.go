package autograd

import (
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// This file derives samples from signatures.

// samplesOf returns the samples of an operator: the written samples, or samples
// that follow from its signature; and the first sample again with other values
// for parameters with defaults. If the samples are not written, only the first
// one has to fit the operator.
func samplesOf(o *Op) (list []*opSample, written bool, err error) {
	texts, written := writtenSamples[opKey(o)]
	if !written {
		texts = plainSamples(o)
	}
	if len(texts) == 0 {
		return nil, written, nil
	}
	for _, text := range texts {
		s, err := parseSample(o, text)
		if err != nil {
			return nil, written, err
		}
		list = append(list, s)
	}
	for _, text := range variants(o, texts[0]) {
		s, err := parseSample(o, text)
		if err != nil {
			return nil, written, err
		}
		s.variant = true
		list = append(list, s)
	}
	return list, written, nil
}

// plainShapes are shapes for operators, by the number of their tensors.
var plainShapes = map[int][][]string{
	1: {{"2x3"}, {"3"}, {"scalar"}, {"2x3:T"}, {"0x3"}},
	2: {{"2x3", "2x3"}, {"2x3", "3"}, {"2x1", "1x3"}, {"scalar", "2x3"}, {"2x3:T", "2x3"}, {"0x3", "3"}},
	3: {{"2x3", "2x3", "2x3"}, {"2x3", "3", "2x1"}, {"2x3:T", "2x3", "3"}, {"3", "2x3", "scalar"}, {"0x3", "3", "3"}},
}

// plainSamples derives samples from a signature. It returns none if a
// parameter's values are unknown.
func plainSamples(o *Op) (texts []string) {
	var tensors []string
	rest := ""
	for _, p := range o.schema.Params {
		switch {
		case p.HasDefault || p.Optional && p.Type != schema.Tensor:
			if !p.HasDefault {
				rest += " " + p.Name + "=none"
			}
		case p.Type == schema.Tensor && !p.List && !p.Optional:
			tensors = append(tensors, p.Name)
		case p.Type == schema.Scalar || p.Type == schema.Float:
			rest += " " + p.Name + "=0.7"
		case p.Name == "dim" && p.Type == schema.Int:
			rest += " " + p.Name + "=0"
		case p.Name == "dim" && p.List:
			rest += " " + p.Name + "=[0]"
		default:
			return nil
		}
	}
	for _, shapes := range plainShapes[len(tensors)] {
		text := ""
		for i, name := range tensors {
			text += name + "=" + shapes[i]
			if d := sampleDomains[opKey(o)]; d != "" && !strings.HasSuffix(shapes[i], ":T") {
				text += ":" + d
			} else if d != "" {
				text += "," + d
			}
			text += " "
		}
		texts = append(texts, strings.TrimSpace(text+rest))
	}
	return texts
}

// neverVaried are parameters whose other values also need other arguments, or
// change the gradient by design.
var neverVaried = set("unpack_data", "sparse", "sparse_grad", "scale_grad_by_freq", "include_last_offset")

// variants returns samples in which a parameter with a default has another
// value.
func variants(o *Op, text string) (texts []string) {
	add := func(name string, values ...string) {
		for _, v := range values {
			texts = append(texts, text+" "+name+"="+v)
		}
	}
	for _, p := range o.schema.Params {
		if !p.HasDefault || strings.Contains(" "+text, " "+p.Name+"=") || neverVaried[p.Name] {
			continue
		}
		switch d := p.Default.(type) {
		case bool:
			add(p.Name, strconv.FormatBool(!d))
		case float64:
			add(p.Name, strconv.FormatFloat(d/2+0.3, 'g', -1, 64))
		case string:
			if p.Name == "reduction" {
				add(p.Name, "sum", "none")
			}
		case int64:
			switch {
			case p.Name == "reduction":
				add(p.Name, "0", "1", "2")
			case p.Type == schema.Scalar || p.Type == schema.Float:
				add(p.Name, strconv.FormatFloat(float64(d)/2+0.3, 'g', -1, 64))
			case strings.HasPrefix(p.Name, "dim"):
				add(p.Name, "0", "-1")
			}
		case nil:
			if p.Name == "dim" && p.List {
				add(p.Name, "[0]", "[-1]", "[0,1]")
			} else if p.Name == "dim" {
				add(p.Name, "0", "-1")
			}
		}
	}
	return texts
}
