package pytorch

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python/protocol"
)

func TestTheTranslatorKnowsTheRecordsOfTheTable(t *testing.T) {
	known := slices.Collect(maps.Keys(records))
	known = append(known, "stack", "source", "named", "sync", "broken") // see Translator.record
	var want []string
	for _, r := range protocol.Records {
		want = append(want, r.Name)
	}
	slices.Sort(known)
	slices.Sort(want)
	if diff := cmp.Diff(want, known); diff != "" {
		t.Error(diff)
	}
}
