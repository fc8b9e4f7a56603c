package export

import (
	"bytes"
	"strings"
)

// hoverTexts are what an SVG shows when the mouse points to something, by what Graphviz calls
// that: "n7", "n7->n9", "cluster_m2".
type hoverTexts map[string][]string

func (h hoverTexts) add(name string, lines ...string) {
	if h != nil {
		h[name] = append(h[name], lines...)
	}
}

var (
	titleBegins = []byte("<title>")
	titleEnds   = []byte("</title>")
)

// titleNames read the name of an arrow as Graphviz writes it, which has its ports in it.
var titleNames = strings.NewReplacer("&#45;", "-", "&gt;", ">", "&amp;", "&")

// apply replaces the titles in an SVG of Graphviz, which are the names of nodes, arrows and
// clusters.
func (h hoverTexts) apply(svg []byte) []byte {
	if len(h) == 0 {
		return svg
	}
	var out bytes.Buffer
	out.Grow(len(svg) + len(svg)/2)
	for {
		i := bytes.Index(svg, titleBegins)
		if i < 0 {
			break
		}
		i += len(titleBegins)
		n := bytes.Index(svg[i:], titleEnds)
		if n < 0 {
			break
		}
		out.Write(svg[:i])
		if lines, ok := h[withoutPorts(titleNames.Replace(string(svg[i:i+n])))]; ok {
			out.WriteString(xmlEscapes.Replace(strings.Join(lines, "\n")))
		} else {
			out.Write(svg[i : i+n])
		}
		svg = svg[i+n:]
	}
	out.Write(svg)
	return out.Bytes()
}

// withoutPorts is the name of an arrow without the places at which it begins and ends.
func withoutPorts(name string) string {
	from, to, ok := strings.Cut(name, "->")
	if !ok {
		return name
	}
	from, _, _ = strings.Cut(from, ":")
	to, _, _ = strings.Cut(to, ":")
	return from + "->" + to
}

// xmlEscapes make text of an element read as it is.
var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
