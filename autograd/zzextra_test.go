package autograd

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestZZExtra(t *testing.T) {
	file := os.Getenv("EXTRA")
	if file == "" {
		file = "/opt/t26/w/bx/extra.jsonl"
	}
	re := regexp.MustCompile(os.Getenv("RUN"))
	pass, fail := 0, 0
	for _, c := range readVectors(t, file) {
		if !re.MatchString(c.ID) {
			continue
		}
		d := runVector(c)
		if len(d) == 0 {
			pass++
			continue
		}
		all := strings.Join(d, " ")
		if strings.Contains(all, "invalid combination") || strings.Contains(all, "flip: internal") || strings.Contains(all, "required positional") {
			continue
		}
		fail++
		if len(d[0]) > 330 {
			d[0] = d[0][:330]
		}
		t.Log(c.ID, "|", d[0])
	}
	t.Logf("%d pass %d fail", pass, fail)
}
