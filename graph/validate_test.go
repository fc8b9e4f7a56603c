package graph_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradtui/gradtui/graph"
)

var update = flag.Bool("update", false, "rewrite expectations and generated documentation")

// The archive holds tapes in text form and, behind each, the problems in lines
// that begin with "#!".
func TestValidateFindsWhatIsWrong(t *testing.T) {
	const file = "testdata/validate.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	prelude := string(archive.Files[0].Data)
	for i, story := range archive.Files[1:] {
		t.Run(story.Name, func(t *testing.T) {
			events, want := split(string(story.Data))
			tape := graph.NewTape(graph.Limits{})
			if err := tape.ReadText(strings.NewReader(prelude + events)); err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, p := range graph.Validate(tape, 100) {
				got += fmt.Sprintf("#! %s\n", p)
			}
			if got == "" && story.Name != "nothing wrong" {
				t.Error("no problem was found")
			}
			archive.Files[i+1].Data = []byte(events + got)
			if diff := cmp.Diff(want, got); diff != "" && !*update {
				t.Error(diff)
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func split(story string) (events, problems string) {
	for line := range strings.Lines(story) {
		if strings.HasPrefix(line, "#!") {
			problems += line
		} else {
			events += line
		}
	}
	return events, problems
}

func TestValidateStopsAtItsLimit(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for range 10 {
		tape.Append(graph.Header{}, &graph.ModuleLeft{})
	}
	if n := len(graph.Validate(tape, 4)); n != 4 {
		t.Errorf("%d problems", n)
	}
}
