package lookup

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// TestWhyAValueIsMissingNamesTheLimitsOfTheRecorder compares the limits that texts name with
// the limits that the recorder of PyTorch has.
func TestWhyAValueIsMissingNamesTheLimitsOfTheRecorder(t *testing.T) {
	source, err := os.ReadFile("../../python/src/gradtui/_recorder/values.py")
	if err != nil {
		t.Fatal(err)
	}
	for name, here := range map[string]int{"WHOLE": smallValue, "LARGE": largeValue} {
		m := regexp.MustCompile(`(?m)^` + name + ` = (\d+)(?: << (\d+))?(?:\s*#.*)?$`).FindSubmatch(source)
		if m == nil {
			t.Errorf("values.py has no number %s", name)
			continue
		}
		number, _ := strconv.Atoi(string(m[1]))
		shift, _ := strconv.Atoi(string(m[2])) // 0 without a shift
		if there := number << shift; there != here {
			t.Errorf("%s is %d in values.py, and %d in texts", name, there, here)
		}
	}
}
