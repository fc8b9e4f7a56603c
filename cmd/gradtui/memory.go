package main

import (
	"fmt"
	"os"
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
