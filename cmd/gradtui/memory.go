package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// memoryLimit is half of the machine's memory, 0 if that is not known.
func memoryLimit() uint64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "MemTotal:")
	var kilobytes uint64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return 0
	}
	return kilobytes * 1024 / 2
}

const (
	// longTape is the size of a file beyond which its tape is a long one: a few hundred
	// thousand events.
	longTape = 4 << 20
	// frugalPercent is how much garbage there may be beside what is in use while a long
	// tape is read. What is kept of one has few pointers, so collecting is cheap.
	frugalPercent = 30
)

// frugal makes the collector run more often where a file holds a long tape, unless the
// user has said how often.
func frugal(path string) {
	if info, err := os.Stat(path); err == nil && info.Size() > longTape && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(frugalPercent)
	}
}
