// Package export writes a computation graph in forms that other programs, and
// people without gradtui, can read: DOT as torchviz draws it and with all that
// torchviz leaves out, SVG, PNG, GIF, Mermaid, JSON and plain text.
//
// The input is a [graph.Graph], the fold of a tape at one position, and nothing
// else: which engine made the tape makes no difference, and all that an export
// says can be looked up there.
//
// The pieces, in the order data flows through them:
//
//   - roots.go finds the tensors to start from, select.go the nodes that lead to
//     them: the selection. Its nodes are in order of creation, which is a
//     topological order, because a node can only point to nodes that exist.
//   - JSON writes the selection as it is (json.go; package internal/documents has the types).
//   - Everything else is drawn from a plan: which nodes get a box of their own and
//     which share one. Beyond a number of boxes the plan is reduced: package arrange
//     finds the groups of nodes, as for the debugger, and fold.go says which of them are
//     folded. Calls of modules go first, then repetitions, whose first and last step
//     stay, then chains; what is farthest from the roots goes last (fold_far.go). The
//     picture and the [Report] say what was folded.
//   - The style layers is drawn from another selection, whose nodes are layers
//     (layers.go): everything after that is the same.
//   - torchviz.go draws a plan in torchviz's style; boxes.go and arrows.go describe
//     the full style, which dot.go and mermaid.go write, and text.go in the order
//     of a tree (tree.go). brief.go has the boxes of a DOT picture unless all is asked
//     for, layerbox.go the boxes of layers; gradients.go and look.go have what arrows show,
//     theme.go the colours, hover.go what an SVG shows at the mouse pointer.
//   - rows.go keeps calls in a row one below the other in a laid-out picture, and
//     columns.go cuts a tall one into columns.
//   - picture.go has package graphviz lay the DOT text out. animation.go reads from the tape
//     when the nodes of a plan ran, which makes the frames of an animation.
//
// Nothing recurses along the graph, and every writer stops when its context ends
// (output.go).
//
// Names come from programs and from files, so nothing that is written relies on
// them: clean.go takes out what no label should contain, and each format escapes
// the rest.
package export
