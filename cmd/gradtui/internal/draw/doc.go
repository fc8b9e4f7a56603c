// Package draw writes pictures of graphs: for gradtui export, for check scripts and for the
// debugger. It connects packages export and graphviz with output files, and says what to do when
// a layout takes too much time or memory.
package draw
