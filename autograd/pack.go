package autograd

// A Slice is a slice in an index expression, x[start:stop:step]. A bound is an
// int, a tensor that holds one, or nil if it is omitted.
type Slice struct{ Start, Stop, Step any }

// Ellipsis is ... in an index expression.
var Ellipsis = &struct{ ellipsis bool }{true}
