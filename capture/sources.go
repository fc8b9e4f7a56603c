package capture

import (
	"os"

	"github.com/gradtui/gradtui/graph"
)

// maxSource and maxSources bound the source text on a tape, of one file and of all.
const (
	maxSource  = 1 << 20
	maxSources = 16 << 20
)

// RecordSources puts the files that call stacks refer to on the tape.
func RecordSources(tape *graph.Tape) {
	total := int64(0)
	for _, file := range tape.Files() {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource || total+info.Size() > maxSources {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		total += info.Size()
		tape.Append(graph.Header{}, &graph.SourceRead{File: tape.InternString(file), Text: string(text)})
	}
}
