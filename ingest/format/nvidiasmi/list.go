package nvidiasmi

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

var (
	listed = regexp.MustCompile(`^GPU [0-9]+: (\S.*?) \(UUID: [^()]*\)$`)
	// slice is a part of the GPU above it that MIG has made.
	slice = regexp.MustCompile(`^\s+MIG ([0-9]+[cg][0-9a-z.+]*)\s+Device\s+[0-9]+:`)
)

// readList reads the lines of `nvidia-smi -L`. Where a GPU is divided by MIG its parts are the devices.
func readList(src *reading.Source, emit func(record.Record)) {
	l := newLog()
	n, whole, odd := 0, "", 0
	for raw := range bytes.Lines(src.Data) {
		n++
		line := strings.ToValidUTF8(strings.TrimRight(string(raw[:min(len(raw), 4<<10)]), " \r\n"), "\ufffd")
		if m := listed.FindStringSubmatch(line); m != nil {
			whole = m[1]
			l.gpus = append(l.gpus, gpu{"name": whole})
		} else if m := slice.FindStringSubmatch(line); m != nil && whole != "" {
			if last := l.last(); last["slice"] == "" {
				last["name"], last["slice"] = whole+" MIG "+m[1], m[1]
			} else {
				l.gpus = append(l.gpus, gpu{"name": whole + " MIG " + m[1], "slice": m[1]})
			}
		} else if strings.HasPrefix(line, "GPU ") {
			emit(syntax(src, n, 0, "a line of a GPU that is cut: how many there are is not known, and none is taken"))
			return
		} else if line != "" && odd == 0 {
			odd = n
		}
	}
	if odd > 0 {
		emit(syntax(src, odd, 0, "a line that lists no GPU: it is left out"))
	}
	emit(l.record(src, 1, emit))
}
