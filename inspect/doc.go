// Package inspect reads a tape and the graph that it folds to, and says what is
// in them: totals, memory that the graph holds, hazards. It does not know which
// engine made the tape and keeps no facts of its own.
package inspect
