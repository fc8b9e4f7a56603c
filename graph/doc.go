// Package graph holds what happened to a program's tensors and what follows
// from it: the tape, an append-only log of events, and the computation graph
// that the tape folds to at any position.
//
// The pieces, in the order data flows through them:
//
//   - An [Event] is one fact: an op ran, a version counter moved, a node of the
//     backward pass executed, a saved tensor was freed. Event types live in
//     events*.go; the table [Kinds] lists them all, and each type describes its
//     own fields once (method fields), which serves the binary form, the text
//     form and the documentation alike.
//   - A [Tape] is the log. Programs append to it, possibly from several
//     threads; readers read it at the same time. Strings and call stacks are
//     interned, events are kept encoded (about 50 bytes each); of a long tape
//     most are compressed, in a temporary file.
//   - An [Exporter] and an [Importer] carry a tape elsewhere, block by block.
//   - A [Cursor] is a position on the tape. It owns a [Graph], the pure fold of
//     all events before the position, and moves it forwards and backwards in
//     time; a step costs what the event changed, a seek costs the events
//     between, or since a checkpoint.
//   - [Validate] says whether a tape is well ordered.
//
// The words are PyTorch's: leaf, grad_fn, saved tensor, version, retain_graph.
// The package imports nothing else of this module but internal/packed: an engine, a file or a
// socket produces the tape, and diagnosis, export and the terminal read it.
package graph
