package export

// Spread is the spread of the unreduced graph of the roots.
func Spread(j *selection) int { return (&plan{selection: j}).spread() }

var Select = selectGraph
