package script_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/inspect/script"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

func TestMain(m *testing.M) {
	script.ChildMain()
	pythontest.Main(m)
}

func TestExamples(t *testing.T) {
	scripts, err := filepath.Glob("../../examples/scripts/*.star")
	if err != nil || len(scripts) < 8 {
		t.Fatalf("%d examples: %v", len(scripts), err)
	}
	for _, file := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".star"), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			report := inspect.Check(pythontest.Record(t, strings.TrimSuffix(file, ".star")+".py"), rules.All(), inspect.Options{})
			r := script.Run(context.Background(), filepath.Base(file), source, report, script.Options{
				Print:  io.Discard,
				Export: func(*graph.Graph, string, script.Picture) error { return nil },
			})
			if r.Err != nil {
				t.Error(r.Err)
			}
		})
	}
}
