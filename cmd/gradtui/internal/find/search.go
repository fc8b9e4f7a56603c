package find

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"

	"github.com/gradtui/gradtui/graph"
)

// searchSlice is how many labels are matched between two checks of the context.
const searchSlice = 1 << 11

// Find returns at most so many things that a query may mean, the likeliest first: by number
// or line, then by the exact name, by its beginning, by a part of it, and by its letters in
// that order. Of several things with one label, the ones that exist at the position come
// first, newest first; the ones that come later are marked.
//
// A query may begin with one of [Prefixes]. The end of the context stops the search, with
// its error.
func (x *Index) Find(ctx context.Context, text string, at graph.Pos, most int) ([]Hit, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	q := parse(text)
	if q.pattern == "" && !q.all || most <= 0 {
		return nil, ctx.Err()
	}
	l := &lister{index: x, dec: x.tape.NewDecoder(), at: at, most: most, seen: map[thing]bool{}}
	if when, ok := x.made(q.what, q.number); ok {
		l.numbered(q.what, when, uint32(q.number))
	}
	if q.file != "" {
		files, err := x.match(ctx, q.file, false, func(k Kind) bool { return k == File })
		if err != nil {
			return nil, err
		}
		for _, m := range files {
			l.lines(m.label, q.line)
		}
	}
	matches, err := x.match(ctx, q.pattern, q.all, func(k Kind) bool { return q.kinds[k] })
	if err != nil {
		return nil, err
	}
	l.list(matches)
	return l.hits, nil
}

// A match is a label that fits a pattern.
type match struct {
	label *label
	rank  int
	score int
	found []int // the bytes of the label that the pattern stands for
}

// labelSource is a part of the labels, for package fuzzy.
type labelSource []*label

func (s labelSource) String(i int) string { return s[i].text }
func (s labelSource) Len() int            { return len(s) }

// match returns the labels of the wanted kinds that fit a pattern, the best first.
func (x *Index) match(ctx context.Context, pattern string, all bool, wanted func(Kind) bool) (found []match, err error) {
	part := make(labelSource, 0, searchSlice)
	for i, end := 0, len(x.labels)+len(x.findings); i < end; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for part = part[:0]; i < end && len(part) < searchSlice; i++ {
			if l := x.label(i); wanted(l.kind) {
				part = append(part, l)
			}
		}
		if all {
			for _, l := range part {
				found = append(found, match{label: l})
			}
			continue
		}
		for _, m := range fuzzy.FindFromNoSort(pattern, part) {
			l := part[m.Index]
			rank := l.rank(pattern)
			if rank == scattered && l.kind == Finding {
				continue // a sentence has the letters of any word
			}
			found = append(found, match{l, rank, m.Score, m.MatchedIndexes})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.score, a.score), cmp.Compare(a.label.kind, b.label.kind))
	})
	return found, ctx.Err()
}

// label returns label i, of all labels and findings.
func (x *Index) label(i int) *label {
	if i < len(x.labels) {
		return &x.labels[i]
	}
	return &x.findings[i-len(x.labels)]
}

// How a pattern fits a label, best first.
const (
	exact     = iota // it is the name, with or without its scope or folder
	beginning        // the name begins with it
	inside           // it is a part of the label
	scattered        // the label has its letters in that order
)

// rank returns how a pattern fits a label that has its letters.
func (l *label) rank(pattern string) int {
	pattern = squeezed(pattern)
	text, name := squeezed(l.text), squeezed(l.text[l.name:])
	switch {
	case text == pattern, name == pattern:
		return exact
	case strings.HasPrefix(text, pattern), strings.HasPrefix(name, pattern):
		return beginning
	case strings.Contains(text, pattern):
		return inside
	}
	return scattered
}

// squeezed returns text in lower case, without spaces and backquotes, for comparisons.
func squeezed(s string) string { return unspaced.Replace(strings.ToLower(s)) }

var unspaced = strings.NewReplacer(" ", "", "`", "")
