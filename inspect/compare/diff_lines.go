package compare

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// sourcesOf returns the lines of the source files on a tape.
func sourcesOf(tape *graph.Tape) map[string][]string {
	files := map[string][]string{}
	d := tape.NewDecoder()
	for p := range tape.Len() {
		if k, err := d.Kind(p); err != nil || k != graph.KindSourceRead {
			continue
		}
		if _, e, err := d.ReadUntimed(p); err == nil {
			read := e.(*graph.SourceRead)
			files[tape.String(read.File)] = strings.Split(read.Text, "\n")
		}
	}
	return files
}

// An alignment gives lines of two programs the same names where they are the same.
type alignment struct {
	files map[string]string      // file of B -> file of A
	lines map[string]map[int]int // file of B -> its line -> line of A
}

// alignLines compares the files of two programs. Files belong together if they have the same name,
// or if they are the only ones left.
func alignLines(a, b map[string][]string) *alignment {
	x := &alignment{map[string]string{}, map[string]map[int]int{}}
	byBase := map[string]string{}
	for _, file := range slices.Sorted(maps.Keys(a)) {
		byBase[filepath.Base(file)] = file
	}
	var left []string
	for _, file := range slices.Sorted(maps.Keys(b)) {
		base := filepath.Base(file)
		if other, ok := byBase[base]; ok {
			x.files[file] = other
			delete(byBase, base)
		} else {
			left = append(left, file)
		}
	}
	if len(left) == 1 && len(byBase) == 1 {
		for _, other := range byBase {
			x.files[left[0]] = other
		}
	}
	for file, other := range x.files {
		x.lines[file] = SameLines(a[other], b[file])
	}
	return x
}

func (x *alignment) ofA(f graph.Frame) string {
	return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
}

func (x *alignment) ofB(f graph.Frame) string {
	lines, ok := x.lines[f.File]
	if !ok { // a file without text: its lines are where they are
		return x.ofA(f)
	}
	if n, ok := lines[f.Line]; ok {
		return x.ofA(graph.Frame{File: x.files[f.File], Line: n})
	}
	return "new " + x.ofA(f)
}

// maxCompared bounds the work of comparing two files.
const maxCompared = 1 << 22

// SameLines maps lines of b to lines of a, counted from 1: the lines of a longest common
// subsequence, and between them lines that replace as many others.
func SameLines(a, b []string) map[int]int {
	a, b = trimmed(a), trimmed(b)
	same := map[int]int{}
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		same[first+1] = first + 1
		first++
	}
	m, n := len(a)-first, len(b)-first
	if m*n > maxCompared {
		return same
	}
	longest := make([][]int32, m+1) // of what follows in both
	for i := range longest {
		longest[i] = make([]int32, n+1)
	}
	for i := m - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			if a[first+i] == b[first+j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	i, j := 0, 0
	fromA, fromB := 0, 0 // where the lines began that are in one only
	gap := func() {
		if i-fromA == j-fromB {
			for k := range i - fromA {
				same[first+fromB+k+1] = first + fromA + k + 1
			}
		}
	}
	for i < m && j < n {
		switch {
		case a[first+i] == b[first+j]:
			gap()
			same[first+j+1] = first + i + 1
			i, j = i+1, j+1
			fromA, fromB = i, j
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	i, j = m, n
	gap()
	return same
}

func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(l)
	}
	return out
}
