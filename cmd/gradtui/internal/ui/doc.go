// Package ui is the debugger in the terminal: one Bubble Tea model that looks at a
// tape, which may still grow because its program is running.
//
// The pieces:
//
//   - The Model holds what all panes share (state.go): the tape, a cursor on it,
//     what is chosen, and the indices over the tape. It keeps no facts of its own;
//     what it shows is computed from the graph at the cursor.
//   - Panes (pane_*.go) draw into rectangles of a canvas (package cells), which
//     makes safe whatever comes from a program. They draw the visible rows and
//     nothing else, so a key press costs the same on ten nodes and on a million.
//   - The timeline and the memory pane spread a window of the tape over their columns
//     (chart.go); both show the same window.
//   - Keys and commands are tables (keys.go, commands.go), from which the help, the
//     completion and docs/debugger.md are made.
//   - What takes long is done in slices between messages (work.go): moving the cursor
//     far, reading a tape into the indices. The rules run in a goroutine of their
//     own, over a history of their own; so is a large graph arranged (scope.go), with
//     a cursor of its own.
//   - Ranks (ranks.go) has a Model for each process of a distributed program and shows
//     one of them.
//   - Overlays (overlay.go) take the keys while they are open: help, search, the
//     command line.
//
// Linear (linear.go) prints the same facts line by line, for screen readers.
package ui
