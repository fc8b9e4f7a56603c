// Package debugger opens the debugger: on tapes that are read from files, on a program that it
// starts, on one that waits in gradtui.attach(), and on the ranks of a distributed program. The
// screen itself is package ui, the program under it package live.
//
// Begin with [Flags], whose methods open it.
package debugger
