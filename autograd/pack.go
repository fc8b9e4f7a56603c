package autograd

// A Slice is a slice in an index expression, x[start:stop:step]; nil leaves a
// part out.
type Slice struct{ Start, Stop, Step any }

// Ellipsis is ... in an index expression.
var Ellipsis = &struct{ ellipsis bool }{true}
