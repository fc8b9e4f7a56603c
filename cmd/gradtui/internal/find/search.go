package find

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"

	"github.com/gradtui/gradtui/graph"
)

// searchSlice is how many labels are matched between two looks at the context.
const searchSlice = 1 << 11

// Find finds at most so many things that a query may mean, the likeliest first: what
// it names by number or line, then what is called exactly so, what begins so, what has
// it inside, and what has its letters in that order. Of the things with one label those come first that
// exist at a position, newest first, then those that come later, which are marked.
//
// [Prefixes] are what a query may begin with. A context that ends stops the search,
// without result.
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

// match finds the labels of some kinds that fit a pattern, the best first.
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

// label numbers all labels.
func (x *Index) label(i int) *label {
	if i < len(x.labels) {
		return &x.labels[i]
	}
	return &x.findings[i-len(x.labels)]
}

// How a pattern fits to a label, best first.
const (
	exact     = iota // that is the name, with or without what stands before it
	beginning        // the name begins so
	inside           // it is a part of the label
	scattered        // the label has the letters in that order
)

// rank says how a pattern fits to a label of which it has the letters.
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

// squeezed is text as patterns are compared with it: without capitals, spaces and the
// quotes of code.
func squeezed(s string) string { return unspaced.Replace(strings.ToLower(s)) }

var unspaced = strings.NewReplacer(" ", "", "`", "")
