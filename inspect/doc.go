// Package inspect reads a tape and the graph that it folds to, and says what is
// in them: totals, memory that the graph holds, hazards, stories of tensors. It does
// not know which engine made the tape and keeps no facts of its own.
//
// Some of it looks at a tape once: [Summarize], [Measure], [Check], [Compare]. Some
// follows a tape that grows, in slices of the caller's choice: a [Timeline] knows what
// happened in any stretch of it, a [MemorySeries] what was in use. A [Meter],
// [Measure], [LineUses] and the series count memory in one way, that of type memory.
//
// For a debugger, a [Trace] finds the events about one node or tensor and shows it as of
// any position, and [Steps] are where a cursor stops on its way.
package inspect
