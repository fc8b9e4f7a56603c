// Package arrange finds what belongs together in a large graph, so that the debugger and
// pictures can show it in few rows or boxes.
//
//   - [Reach] visits the nodes that some roots lead to.
//   - [Build] makes a [Tree] of them: groups, one inside another. A [Group] is the call of a
//     module, a repetition (the steps of an unrolled loop, the layers of a deep network),
//     one of its steps, or a chain. [Group.Name] is what people read.
//   - Whoever shows the tree folds groups: one that is folded is a row or a box, and
//     [Tree.Walk] visits what is left.
//
// Build makes the calls first ([Calls] says which there are). Then it looks for repetitions
// among what lies directly in each call. Nodes and calls are reduced to numbers (tokens.go),
// equal ones for equal elements, and stretches of numbers that repeat themselves are found
// (repetitions.go). What was found counts as one element in the next round, and the steps
// are searched in turn, so that loops in loops are repetitions in repetitions.
//
// The debugger and pictures differ where they have to, which is what [Options] and [Nodes]
// leave open:
//
//   - The debugger has nodes in the order in which a backward pass runs them, as the user
//     steps through it. Pictures have them in the order in which they were created, so that
//     their text does not depend on where a pass began.
//   - In the debugger a group is a stretch of that order, as rows have an order and no
//     arrow may lead up. In a picture a box may hold any nodes ([Options.Together]).
//   - In the debugger a repetition holds all steps, and unfolds into them. A picture cannot
//     be unfolded, and draws the first and the last step ([Options.Between]).
//   - In the debugger equal nodes are in the same line of the program, as the user folds
//     loops by hand. Pictures fold until a budget of boxes is kept, so there equal
//     operations are enough ([Nodes.What]).
//   - Only pictures fold chains ([Options.Chains]). The nodes of a chain need not be next to
//     each other in an order, and rows below each other need no box to read as a chain.
//
// What is folded is not decided here: the debugger folds a level, or what the user says;
// a picture folds level by level until it is small enough. What it has no room for even
// then, the far end, is a box but not a group of the tree, as it depends on the budget.
package arrange
