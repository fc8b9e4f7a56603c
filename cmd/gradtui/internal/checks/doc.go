// Package checks says what is wrong with a recorded program. It applies the rules, the
// project's policy and a check script to a tape, and makes the report that package
// inspect/report writes.
//
// Begin with [Checked] and its method MakeReport. [Summarize] prints its short form, for run,
// demo and stat.
package checks
