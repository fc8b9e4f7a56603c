package usage

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A DeviceUse is what is in use on one device.
type DeviceUse struct {
	Device    string // "cpu", "cuda:0"
	End, Peak Use    // at the end, and when most was in use on all devices; without nodes
}

// devices returns what is in use on each device that has had memory in use.
func (m *Memory) devices() map[graph.StringID]Use {
	uses := map[graph.StringID]Use{}
	for i := range m.storages.Len() {
		if s := m.storages.At(i); s.bytes > 0 {
			u := uses[s.device]
			u.add(Use{Bytes: s.alive(), Graph: s.graphOnly()})
			uses[s.device] = u
		}
	}
	return uses
}

// deviceUses returns what each device uses when a meter has come to its end; nil if there is
// only one device. It reads the tape again up to the peak.
func deviceUses(m *Meter) []DeviceUse {
	ends, peakAt := m.memory.devices(), m.memory.peakAt
	if len(ends) < 2 || peakAt < 0 {
		return nil
	}
	peak := NewMeter(m.tape)
	for peak.pos <= peakAt {
		peak.step()
	}
	peaks := peak.memory.devices()
	var list []DeviceUse
	for device := range maps.Keys(ends) {
		list = append(list, DeviceUse{m.tape.Device(device), ends[device], peaks[device]})
	}
	slices.SortFunc(list, func(a, b DeviceUse) int { return cmp.Compare(a.Device, b.Device) })
	return list
}
