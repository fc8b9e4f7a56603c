// Package arrange holds what the debugger and pictures both need to show a large graph in
// few rows or boxes.
//
// What they have in common is here:
//
//   - [Reach] visits the nodes that some roots lead to.
//   - [Calls] are the calls of modules that made nodes, one inside another.
//   - [Repetitions] finds the steps of an unrolled loop, or the layers of a deep network, in
//     a sequence of nodes and calls. [Tokens] reduces its elements to numbers, and
//     [Crossings] counts the links that lead over each place in it.
//
// The rest differs, for these reasons:
//
//   - The debugger has nodes in the order in which a backward pass runs them, as the user
//     steps through it. Pictures have them in the order in which they were created, so that
//     their text does not depend on where a pass began.
//   - In the debugger a group is a stretch of that order: it is one row, and rows have an
//     order. A call of a module between whose nodes others run has several groups. In a
//     picture a call is one box, wherever its nodes lie. Pictures also fold chains and the
//     far end of the graph.
//   - In the debugger steps are at the same lines of the program, as the user folds loops by
//     hand. Pictures fold until a budget of boxes is kept, so there equal operations are
//     enough.
package arrange
