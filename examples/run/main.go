// Command run runs one of the examples without gradtui. It is also a target for
// gradtui: gradtui record ./examples/run -o out.tape -- nbody
package main

import (
	"fmt"
	"os"

	"github.com/gradtui/gradtui/examples"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: run NAME")
		for _, e := range examples.All {
			fmt.Fprintf(os.Stderr, "  %-16s %s\n", e.Name, e.About)
		}
		os.Exit(2)
	}
	e, ok := examples.Find(os.Args[1])
	if !ok {
		fmt.Fprintf(os.Stderr, "run: no example %q\n", os.Args[1])
		os.Exit(2)
	}
	if err := e.Run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
