// Package llamacpp reads what all programs of llama.cpp print alike: the accelerators that they found, and the files of
// models.
package llamacpp

import (
	"path"
	"regexp"
	"strings"
)

var part = regexp.MustCompile(`-[0-9]{5}-of-[0-9]{5}$`)

// Model is the name of a model's file without directories, which hold user names, and without what only says that it is a
// file or a part of one.
func Model(file string) string {
	b := path.Base(strings.ReplaceAll(file, "\\", "/"))
	b = strings.TrimSuffix(b, ".gguf")
	return part.ReplaceAllString(b, "")
}

// Devices are the accelerators that a log named last, in the words of one backend.
type Devices struct {
	Names []string
	by    int // the words: see named
}

var (
	found = regexp.MustCompile(`(?i)\bfound [0-9]+ (CUDA|ROCm|MUSA|Vulkan) devices|\bdevice_info:$`)
	// named has a group for each of the words in which an accelerator is named.
	named = regexp.MustCompile(`^\s*Device [0-9]+: ([^,|\n]+),|^ggml_vulkan: [0-9]+ = ([^|\n]+?) \||` +
		`^ggml_metal\w*: GPU name:\s+(\S.*?)\s*$|` +
		`- (?:CUDA|ROCm|MUSA|Vulkan|SYCL|MTL)[0-9]+ *: (.+) \([0-9]+ MiB, [0-9]+ MiB free\)`)
)

// Two of the groups of named, and none of them.
const vulkan, metal, elsewhere = 2, 3, 9

// Read takes a line in which the log names an accelerator, or says that it will; is reports whether it is one, and one
// whether the name of it was taken.
func (d *Devices) Read(line string) (is, one bool) {
	if m := found.FindStringSubmatch(line); m != nil {
		if d.by == 0 || (d.by == vulkan) == strings.EqualFold(m[1], "vulkan") {
			*d = Devices{}
		}
		return true, false
	}
	if strings.Contains(line, "- RPC") { // of another machine, by its address: nobody knows them all
		*d = Devices{by: elsewhere}
		return true, true
	}
	for by, name := range named.FindStringSubmatch(line) {
		if by == 0 || name == "" {
			continue
		}
		if by == metal {
			*d = Devices{}
		}
		if one = d.by == 0 || d.by == by; one {
			d.by = by
			d.Names = append(d.Names, strings.TrimSpace(name))
		}
		return true, one
	}
	return false, false
}
