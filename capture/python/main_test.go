package python_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// observing is the environment variable that makes this test binary run one
// program. The engine's state (random numbers, default dtype) is the process's, so
// that each program needs a process of its own, as it has with gradtui.
const observing = "GRADTUI_TEST_OBSERVE"

// mostSeconds is what a program may take before it is killed.
const mostSeconds = 120

func TestMain(m *testing.M) {
	if os.Getenv(observing) != "" {
		if err := observe(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	require.Signals()
	pythontest.Main(m)
}

// An ending is what observe writes besides the program's output.
type ending struct {
	Exit     int
	Problems []string // what is wrong with the tape
	Events   int
}

// corpusTools is the folder with what runs, records and compares the programs of testdata.
var corpusTools = filepath.Join("..", "..", "tools", "record", "corpus")

// observe runs a program under observe.py on the engine. What became of it is in the
// folder afterwards: stdout, stderr, observed.json, ending.json.
func observe(program, folder string) error {
	stdout, err := os.Create(filepath.Join(folder, "stdout"))
	if err != nil {
		return err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(folder, "stderr"))
	if err != nil {
		return err
	}
	defer stderr.Close()
	ctx, cancel := context.WithTimeout(context.Background(), mostSeconds*time.Second)
	defer cancel()
	p := python.Program{
		Path:   filepath.Join(corpusTools, "observe.py"),
		Args:   []string{filepath.Join(folder, "observed.json"), program},
		Choice: pythontest.Choice(),
		Engine: python.Builtin,
		Stdout: stdout,
		Stderr: stderr,
	}
	run, err := p.Run(ctx, nil)
	if err != nil {
		return err
	}
	e := ending{Exit: run.ExitCode, Events: int(run.Tape.Len())}
	if run.Damaged != nil {
		e.Problems = append(e.Problems, run.Damaged.Error())
	}
	for _, problem := range graph.Validate(run.Tape, 3) {
		e.Problems = append(e.Problems, problem.String())
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "ending.json"), data, 0o600)
}
