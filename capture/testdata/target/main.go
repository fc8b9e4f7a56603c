// Command target is a program that the tests record. Its first argument says how
// it ends.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/gradtui/gradtui/autograd"
)

func main() {
	x := autograd.New([]float64{1, 2, 3}, autograd.RequiresGrad)
	loss := x.Mul(x).Sum()
	if err := loss.Backward(); err != nil {
		panic(err)
	}
	switch os.Args[1] {
	case "well":
	case "exit":
		os.Exit(3)
	case "panic":
		panic("as asked")
	case "error":
		fmt.Fprintln(os.Stderr, loss.Backward())
		os.Exit(1)
	case "copy":
		io.Copy(os.Stdout, os.Stdin)
		fmt.Fprint(os.Stderr, "to stderr")
	case "environment":
		fmt.Print(os.Getenv("GRADTUI_SOCKET"), len(os.Args), os.Args[2])
	case "steps":
		// One operator for each line of input, answered by a line of output.
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			x = x.Neg()
			fmt.Println("done")
		}
	case "wait":
		wait()
	}
}

// wait starts a child that holds standard output open, says so and waits for a
// signal.
func wait() {
	child := exec.Command(os.Args[0], "x")
	child.Path, _ = os.Executable()
	if len(os.Args) > 2 { // the child itself
		signal.Ignore(os.Interrupt)
		fmt.Println("child runs")
		time.Sleep(time.Hour)
	}
	child.Args = append(child.Args[:1], "wait", "child")
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		panic(err)
	}
	child.Wait()
}
