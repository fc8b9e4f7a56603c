// Package inspect finds what is wrong with a program from the tape that it recorded. It does not
// know which engine made the tape.
//
// [Check] runs rules over a tape. Each [Rule] observes the events beside a [History], which knows
// what has happened so far: by tensor, operation, write, backward pass and optimizer step. The
// rule asks the history and reports a [Finding] to its [Checker]. Begin with check.go, then
// history.go; the rules themselves are in inspect/rules.
//
// Other questions about a tape have rooms beside this one: inspect/lookup (what a debugger looks
// up), inspect/usage (what a program used), inspect/compare (how runs differ) and inspect/story
// (all about one tensor).
//
// # What is computed from the tape
//
// Everything that gradtui shows is a fold of the events, and each fold keeps only what its
// questions need. Before adding one, look whether one of these knows the answer already. Folds
// that follow a tape take events in slices, as it grows; the others read it once. "Kinds" are
// folds that skip the events of other kinds without decoding them.
//
//	fold                         what it knows                            reads            keeps
//	graph.Graph, graph.Cursor    the graph at a position                  follows, seeks   tables of tensors and nodes, a journal, checkpoints
//	graph: Validate              whether the events contradict it         once             a graph
//	inspect.History              why things happened, for rules           once             the newest events in full, facts of the others
//	lookup.Index                 which events are about a tensor or node  follows          a few bytes for each mention
//	lookup.Timeline              how much happened in any stretch         follows          half a byte for each event
//	lookup.Steps                 where a cursor stops next                on demand        nothing but the iterations
//	lookup: Summarize            how many of everything                   a graph, once    nothing
//	lookup: Moments              when the content of a name changes       twice, kinds     its bindings and changes
//	usage.Memory                 what is alive and what keeps it alive    event by event   a record for each tensor, node and storage
//	usage.Meter, usage.LineUses  memory in use, now and by line           follows, kinds   a Memory
//	usage.MemorySeries           memory in use after any event            follows, kinds   a Memory, a fraction of a byte for each event
//	usage.Loop, usage.Iterations the iterations of the main loop          follows, kinds   the positions of steps and passes
//	usage: Measure               time and memory by line and iteration    once             a Memory, the lines
//	usage: Parameters            how steps change parameters              once, kinds      a graph, a few numbers for each step
//	compare: Parts               nodes, edges, tensors of a piece         once             a Memory, counts by line
//	compare: Ranks               gradients and operations by rank         once, twice      the parameters; the operations are walked abreast
//	compare: Counterpart         the same place on another rank's tape    once             counters
//	story: Of                    all about one tensor                     a History, once  a Memory
//	find.Index                   names, files and functions to search     follows, kinds   the labels and when they occur
//	ui: printed                  what the program printed                 follows, kinds   the last lines
//	ui: sources                  the source files on the tape             follows, kinds   where they are
//	control.Gate                 whether a live program stops here        event by event   the depth of passes and modules
//	tapefile: index              the kinds and times in each block        once             a header for each block
//
// The packages find and ui are below cmd/gradtui/internal.
package inspect
