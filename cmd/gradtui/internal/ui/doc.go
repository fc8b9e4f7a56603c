// Package ui is the debugger in the terminal: one Bubble Tea model of a tape, which may
// still grow because its program is running. Begin with model.go and panes.go.
//
// # The parts
//
//   - The state (state.go) is what all panes share: the position on the tape
//     (position.go), what is computed from all events (indices.go), what the rules found
//     (check.go), the program, the graph that is shown (scope.go), and the selection. It
//     keeps no facts of its own: what it knows follows from the tape.
//   - Panes (pane_*.go) draw into rectangles of a canvas (package cells), which makes text
//     from programs safe. They draw only the visible rows, so a key costs the same on ten
//     nodes and on a million. A pane reads the state, keeps its own scroll position, and
//     returns an intent (intents.go) for everything else. It does not know the model.
//   - The Model (model.go) owns the state and the screen: layout, focus, overlays, messages.
//     It carries out intents, keys (keys.go) and commands (commands.go). Both are tables,
//     from which the help, the completion and docs/use/debugger.md are made.
//   - The timeline and the memory pane show the same window of the tape (chart.go).
//   - Nothing in Update waits. Moving the cursor far and reading a tape into the indices
//     happen in slices between messages (work.go). The rules, the layout of a large graph,
//     the lines that hold memory, searches and exports run in goroutines, each with a
//     cursor of its own.
//   - Runs (runs.go) has a Model for each run and shows one of them: the ranks of a
//     distributed program (ranks.go), two tapes (moment_beside.go), or a run and its forks
//     (forks.go).
//   - Overlays (overlay.go) take the keys while they are open: help, search, the command
//     line, a picture.
//
// Package linear prints the same facts line by line, for screen readers. What it needs of
// a Model is in headless.go and words.go.
//
// # A new pane
//
// A pane is one file and one row:
//
//  1. pane_NAME.go: a type with the methods of pane (pane.go): about, draw, move, open,
//     click, refresh. It gets the state and returns intents. If it goes sideways, has
//     something to stop at or to copy, or reads better in other words than it draws,
//     it has a method of the optional interfaces there as well: sideways, breakpoint,
//     copied, words.
//  2. panes.go: a constant, and a row of paneKinds: its name, what it shows, its places in
//     two and three columns, how to make it. The key, the help, the names in typed commands
//     and the layouts follow from the row.
//  3. docs/use/debugger.md: a chapter "### KEY NAME". The tables there are generated:
//     go test ./cmd/gradtui/internal/ui -run Document -update
//  4. Goldens: go test ./cmd/gradtui/internal/ui -update, and look at the diff.
//
// If it needs something computed from all events, that is an index: a field and an entry
// in indices.go, with the methods Pos and Extend. A key of its own is a row in keys.go,
// with focused(…) as its condition. An intent that is missing is a type in intents.go.
package ui
