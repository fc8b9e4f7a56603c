// Package script runs check scripts: Starlark programs that look at a recorded run
// and say what must hold.
//
// A script moves a cursor through the tape and asks for tensors, nodes, backward
// passes and findings. What it gets is a copy as of that moment, which does not
// change when the cursor moves on. A script reads and writes no files, except through
// export, and is bounded in steps, time and what one value may hold.
//
// [Run] runs a script in this process, [RunApart] in a child process with limits of
// its own. The builtins are a table (builtins.go), from which docs/use/check-scripts.md
// is generated.
package script
