package inspect

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/query"
)

// Answers reports whether a query is about the finding. Without a code it is about all errors: a
// warning in the middle of a run may be gone at its end.
func (f *Finding) Answers(q *query.Query) bool {
	code, ok := q.Finding()
	switch {
	case !ok:
		return false
	case code == "":
		return f.Severity == SeverityError
	}
	return query.Matches(code, f.Code)
}

// Hits returns the positions behind the events of the findings that a query is about, in order.
func Hits(found []Finding, q *query.Query) (at []graph.Pos) {
	for i := range found {
		if f := &found[i]; f.At >= 0 && f.Answers(q) {
			at = append(at, f.At+1)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}
