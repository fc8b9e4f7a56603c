package graphviz_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gradtui/gradtui/export/graphviz"
)

func ExampleRender() {
	dot := []byte(`digraph {
	size="1,1"
	node [shape=box style=filled fontname=monospace]
	w [fillcolor=lightblue]
	w -> AccumulateGrad -> MulBackward0
}`)
	picture, err := graphviz.Render(context.Background(), dot, graphviz.PNG, graphviz.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(picture.Size.Height, "pixels high at", picture.Size.DPI, "dpi")
	// Output: 96 pixels high at 96 dpi
}

func ExampleLayout() {
	drawing, err := graphviz.Layout(context.Background(), []byte(`digraph { a -> b -> c; a -> c }`), graphviz.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range drawing.Nodes {
		fmt.Printf("%s is %.0f points from the top\n", n.Name, n.Center.Y)
	}
	// Output:
	// a is 18 points from the top
	// b is 90 points from the top
	// c is 162 points from the top
}
