// Package target finds out what the arguments of a command name, a tape or a program, and
// turns it into a tape: it reads the one and runs and records the other.
//
// Begin with [Flags], which every command that takes programs or tapes has. Flags.Target decides
// what a name means, Flags.Load returns its tape, Flags.LoadAll the tapes of all ranks. A [Moment]
// is a position on a tape as users write it, a [TapeFile] the file in which a tape is kept.
// Package launch, below, starts the programs.
package target
