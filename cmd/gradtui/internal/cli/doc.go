// Package cli holds what all commands share: the streams that they read and write, messages
// and progress on standard error, exit codes, output files, tables, colours, the arguments
// before and after "--", and what signals do.
//
// Begin with [Streams]. A command gets one, writes its result through [Buffered] or a [File],
// shows long work with [Working], and ends with [Exit].
package cli
