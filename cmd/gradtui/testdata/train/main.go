// Command train is a program that the tests of gradtui record. Its behaviour
// comes from its arguments: how long it runs, what it reads, how it ends.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gradtui/gradtui/autograd"
)

func main() {
	epochs := flag.Int("epochs", 3, "how many epochs")
	exit := flag.Int("exit", 0, "the exit code")
	panics := flag.Bool("panic", false, "panic after the last epoch")
	echo := flag.Bool("echo", false, "copy the input to the output")
	wait := flag.Bool("wait", false, "wait for the end of the input after the last epoch")
	flag.Parse()

	if *echo {
		io.Copy(os.Stdout, os.Stdin)
	}
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	for epoch := range *epochs {
		loss := w.Mul(w).Sum()
		if err := loss.Backward(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("epoch", epoch, loss)
	}
	if *wait {
		io.Copy(io.Discard, os.Stdin)
	}
	if *panics {
		panic("on purpose")
	}
	os.Exit(*exit)
}
