// Package documents defines the JSON documents that gradtui writes: what "--format json" prints,
// and the graph that export writes. The commands and exporters fill them in.
//
// Each file has the types of one document, with a sentence for each field. The references in
// docs/use and the schemas, docs/use/*.schema.json, are generated from these types and comments;
// go test ./internal/documents -update writes them. Objects are written in the order of the fields; a field with "omitempty"
// is left out when it is zero, false or empty.
package documents

// The formats name what a document is. A version grows when a field disappears or changes its
// meaning; new fields do not change it.
const (
	GraphFormat   = "gradtui-graph"
	StatFormat    = "gradtui-stat"
	ExplainFormat = "gradtui-explain"
	DiffFormat    = "gradtui-diff"
	RanksFormat   = "gradtui-ranks"
	FixFormat     = "gradtui-fix"

	CheckVersion   = 1
	GraphVersion   = 1
	StatVersion    = 1
	ExplainVersion = 1
	DiffVersion    = 1
	RanksVersion   = 1
	FixVersion     = 1
)
