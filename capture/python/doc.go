// Package python starts Python programs and records them.
//
// A [Program] is what the user has named. It needs a Python, which [Find] chooses among the
// candidates (find.go, probe.go); our Python files, unpacked and compiled for it in the
// cache (files.go, cache.go, manifest.go); and an engine. The table of the engines is in
// engines.go: package builtin is gradtui's own, package pytorch records PyTorch. Both do what
// package engine asks for, so that [Program.Run] (program.go) is the same for both.
// Rendezvous (rendezvous.go) waits for programs that gradtui did not start.
//
// The Python files are in the folder python of the module. With the build tag embedpython a
// CPython is part of the binary (embedded_on.go).
package python
