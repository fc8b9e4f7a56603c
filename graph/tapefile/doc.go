// Package tapefile keeps tapes on disk.
//
// A tape file is only ever appended to: a header, then blocks, each of which
// stands for itself on disk (a zstd frame around a block of package graph, with
// a checksum), and an index when the file is closed. So a program that is killed
// loses what it had not flushed and nothing else; [Open] reads such a file up to
// the last whole block and says what it left out.
//
//   - A [Writer] writes a tape while it grows, or at once.
//   - [Open] loads a whole file; a [Reader] follows one that is being written, and
//     notices when that is gone.
//   - [Stat] lists the blocks without reading them, [Verify] checks everything.
//   - [WriteText] and [ReadText] convert to the text form, which Open reads as well.
//
// A tape file is untrusted data. Reading a damaged or hostile one gives a report
// or one of the errors below, and takes no more memory than [Options] allow.
package tapefile
