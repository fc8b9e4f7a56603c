// Package dag arranges the backward graph for a terminal: which node stands in
// which row, column or cell, and which lines lead where. It knows nothing of
// colours or keys: the graph pane asks for a window and styles what is in it. Package
// arrange finds the groups, for it and for pictures.
//
// The pieces, in the order data flows through them:
//
//   - [Collect] reads the nodes that a backward pass from some roots visits and puts
//     them into the order in which package passorder says the pass executes them. A
//     [Dag] does not change.
//   - A [View] shows a Dag in rows. Stretches of the order that belong together (the
//     call of a module, the steps of a loop) are an [arrange.Group] each. Two groups lie
//     one inside the other or apart, and a folded group is a single row. As a group is a
//     stretch of a topological order, folding never makes a circle. Beside the rows
//     run lanes, as in git log --graph: a node that is still to come has a lane from
//     the row that mentions it first to its own.
//   - [Arrange] makes a layered drawing of the rows of a View, or of some of them.
//   - A [Tree] lists what a node leads to, or what leads to it, as a tree.
//
// Lines are [Dir] masks: the sides of a cell that a line touches. Where lines meet
// their masks add up, so junctions need no care, and [Dir.Box] and [Dir.ASCII] give
// the character.
package dag
