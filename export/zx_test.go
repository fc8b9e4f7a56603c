package export_test
import ("testing";"os";"github.com/gradtui/gradtui/export")
func TestZX(t *testing.T) {
	m, _ := lstm(100)
	s, r := write(t, m.graph(t), export.DOT, export.Options{})
	os.WriteFile("/tmp/try/lstm100.dot", []byte(s), 0o644)
	t.Log(r)
}
