// Package jobs does the same for many programs, some at a time.
package jobs

import "sync"

// Each calls a function for the numbers below n, at most so many at a time, and at least one.
func Each(n, atATime int, do func(i int)) {
	next := make(chan int)
	var wait sync.WaitGroup
	for range max(1, atATime) {
		wait.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
