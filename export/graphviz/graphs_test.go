package graphviz

import (
	"fmt"
	"math"
	"strings"
)

// torchvizHead is the head of torchviz's graphs of so many statements.
func torchvizHead(statements int) string {
	size := math.Max(12, 0.15*float64(statements))
	return fmt.Sprintf("digraph {\n\tgraph [size=\"%g,%g\"]\n\tnode [align=left fontname=monospace fontsize=10 height=0.2 ranksep=0.1 shape=box style=filled]\n", size, size)
}

// chain is n operations one after the other.
func chain(n int) string {
	var b strings.Builder
	b.WriteString(torchvizHead(2*n - 1))
	for i := range n {
		fmt.Fprintf(&b, "\tn%d [label=MulBackward0]\n", i)
		if i > 0 {
			fmt.Fprintf(&b, "\tn%d -> n%d\n", i-1, i)
		}
	}
	return b.String() + "}\n"
}

// layered is a network of at least n nodes: linear layers with their weights,
// activations, and a connection around each of them.
func layered(n int) string {
	var b strings.Builder
	nodes, statements := 0, 0
	node := func(label, color string) int {
		fill := ""
		if color != "" {
			fill = " fillcolor=" + color
		}
		fmt.Fprintf(&b, "\tn%d [label=\"%s\"%s]\n", nodes, label, fill)
		nodes++
		statements++
		return nodes - 1
	}
	edge := func(from, to int) {
		fmt.Fprintf(&b, "\tn%d -> n%d\n", from, to)
		statements++
	}
	leaf := func(label string) int {
		acc := node("AccumulateGrad", "")
		edge(node(label, "lightblue"), acc)
		return acc
	}
	x := node("input\n (4, 8)", "lightblue")
	for layer := 0; nodes < n; layer++ {
		transposed := node("TBackward0", "")
		edge(leaf(fmt.Sprintf("%d.weight\n (8, 8)", layer)), transposed)
		linear := node("AddmmBackward0", "")
		edge(leaf(fmt.Sprintf("%d.bias\n (8)", layer)), linear)
		edge(x, linear)
		edge(transposed, linear)
		relu := node("ReluBackward0", "")
		edge(linear, relu)
		sum := node("AddBackward0", "")
		edge(relu, sum)
		edge(x, sum)
		x = sum
	}
	edge(x, node("\n ()", "darkolivegreen1"))
	return torchvizHead(statements) + b.String() + "}\n"
}
