// Package script runs check scripts: Starlark programs that look at a recorded run
// and say what must hold.
//
// A script moves a cursor through the tape and asks for tensors, nodes, backward
// passes and findings; what it gets is how they are at that moment, and does not
// change when the cursor moves on. It reads and writes no files, except through
// export, and is bounded in steps, time and what one value may hold. The builtins
// are a table, from which docs/check-scripts.md is generated.
package script
