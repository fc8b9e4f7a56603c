// Package near finds what somebody may have meant to write.
package near

// Word is the known word that is most like another one, "" if none is.
func Word(word string, known []string) string {
	best, distance := "", len(word)/3+2
	for _, k := range known {
		if d := Edits(word, k, distance); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// Edits is the number of bytes to insert, delete or replace to make b of a, or at
// least limit.
func Edits(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
