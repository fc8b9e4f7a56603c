package graphviz

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"

	"github.com/gradtui/gradtui/internal/race"
)

// behaviour is the environment variable by which a test makes the next process
// misbehave. It names an entry of behaviours.
const behaviour = "GRADTUI_TEST_BEHAVIOUR"

var behaviours = map[string]func(){
	// A program that prints before it calls ChildMain.
	"garbage": func() {
		if boot.IsChild() {
			fmt.Println("Welcome to my program!")
		}
	},
	// A child whose output breaks off or makes no sense.
	"garbage after greeting": func() {
		if boot.IsChild() {
			fmt.Print(greeting, "ok forty-two\n")
			os.Exit(0)
		}
	},
	"cut short": func() {
		if boot.IsChild() {
			fmt.Print(greeting, "ok 1000\nhalf")
			os.Exit(0)
		}
	},
	"boasts": func() {
		if boot.IsChild() {
			fmt.Print(greeting, "ok 99999999999999\n")
			os.Exit(0)
		}
	},
	// A child that the system kills.
	"killed": func() {
		if boot.IsChild() {
			fmt.Print(greeting)
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		}
	},
	// A program that does not know about ChildMain.
	"no ChildMain": func() {
		_, err := Render(context.Background(), []byte("digraph {}"), SVG, Options{})
		fmt.Println(err)
		os.Exit(0)
	},
	// A program that draws and says where it keeps temporary files.
	"draw": func() {
		ChildMain()
		p, err := Render(context.Background(), []byte("digraph { a -> b }"), SVG, Options{})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(len(p.Bytes) > 0, os.TempDir())
		os.Exit(0)
	},
}

func TestMain(m *testing.M) {
	if f := behaviours[os.Getenv(behaviour)]; f != nil {
		f()
	}
	ChildMain()
	os.Exit(m.Run())
}

// again returns a command that runs this test program with a behaviour and
// more environment variables.
func again(t *testing.T, does string, env ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Env = append(append(os.Environ(), env...), behaviour+"="+does)
	return cmd
}

// skipCompiling skips a test that makes processes compile Graphviz: the race
// detector, which has nothing to find there, makes that take seven seconds.
func skipCompiling(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("compiles Graphviz")
	}
}

// goldens returns DOT texts by name: what torchviz writes for a few programs,
// and a collection of shapes, styles and arrows.
func goldens(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.dot")
	if err != nil || len(files) < 10 {
		t.Fatalf("testdata: %d files, %v", len(files), err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		if race.Enabled && strings.Contains(f, ".plain") {
			continue // children are slow, and the others have more in them
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".dot")] = text
	}
	return out
}

// slowGraph returns a graph whose layout takes hours: a dense random one with
// long edges.
func slowGraph() []byte {
	var b strings.Builder
	b.WriteString("digraph {\n")
	x := uint32(1)
	for i := range 20000 {
		for range 3 {
			x = x*1664525 + 1013904223
			fmt.Fprintf(&b, "%d -> %d\n", i, i+1+int(x>>8)%200)
		}
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// mustRender renders with the default options.
func mustRender(t testing.TB, dot string, f Format) *Picture {
	t.Helper()
	p, err := Render(t.Context(), []byte(dot), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mustLayout lays out with the default options.
func mustLayout(t testing.TB, dot string) *Drawing {
	t.Helper()
	d, err := Layout(t.Context(), []byte(dot), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
