package export

const mermaidNodes = 150

func (j *job) mermaid() error { return nil }
func (j *job) json() error    { return nil }
func (j *job) text() error    { return nil }
func lcm(a, b int) int        { return a / gcd(a, b) * b }
func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}
