package ingesttest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/reading"
)

// What reading a file may allocate: bytes a byte, and how often as many for a byte more where it is four times as
// large. What looks at all that came before for each row, member or word takes five times as many.
const (
	mostAllocated = 1500
	mostGrowth    = 2.5
	littleGrowth  = 200 // bytes a byte: below that tables that double say nothing
)

// TestGrowth holds each format's reader to work that grows as its input does, on what a sample consists of, many
// times. It counts bytes allocated, because they are the same however busy the machine is.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: reads two hundred megabytes")
	}
	const few, many = 8 << 10, 32 << 10
	inputs := 0
	eachFormat(t, func(t *testing.T, f *reading.Format, c *testCase, in file) {
		sample, _ := allocated(f, in.name, in.data)
		small := grown(in, len(in.data)+few)
		for what, data := range grown(in, len(in.data)+many) {
			a, ok := allocated(f, in.name, data)
			before, also := allocated(f, in.name, small[what])
			if !ok || !also || len(data) <= len(small[what]) {
				continue // it begins in another way now, or has no such thing
			}
			inputs++
			if perByte := a / float64(len(data)); perByte > mostAllocated {
				t.Errorf("%s: %s (%s, %s): reading allocates %.0f bytes a byte, %d are allowed", f.Name, what, c.path, in.name,
					perByte, mostAllocated)
			}
			begin := max((before-sample)/few, before/float64(len(small[what])))
			end := (a - before) / float64(len(data)-len(small[what]))
			if end > mostGrowth*max(begin, littleGrowth) {
				t.Errorf("%s: %s (%s, %s): a byte more costs %.0f bytes, and at a size four times as large %.0f", f.Name, what,
					c.path, in.name, begin, end)
			}
		}
	})
	t.Logf("torture: work of all %d formats grows as %d inputs do", len(format.All()), inputs)
}

// allocated is how many bytes reading a file allocates, ok where the format claims it.
func allocated(f *reading.Format, name string, data []byte) (a float64, ok bool) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	records, by := ingest.ReadFile(name, data, []*reading.Format{f})
	finish(f, records)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc), by != ""
}

// eachFormat calls do for a sample of each format and extension, none of them large. A format without one is an error,
// so that what is held to all is held to a new one too.
func eachFormat(t *testing.T, do func(t *testing.T, f *reading.Format, c *testCase, in file)) {
	t.Helper()
	done, held := map[string]bool{}, map[string]bool{}
	samples(t, func(t *testing.T, pkg string, c *testCase, in file) {
		if done[pkg+filepath.Ext(in.name)] || !c.whole(in) || len(in.data) > 32<<10 {
			return
		}
		head := reading.NewHead(in.name, in.data)
		i := slices.IndexFunc(format.All(), func(f *reading.Format) bool { return f.Match(head) })
		if i < 0 {
			return
		}
		f := format.All()[i]
		done[pkg+filepath.Ext(in.name)], held[f.Name] = true, true
		do(t, f, c, in)
	})
	for _, f := range format.All() {
		if !held[f.Name] {
			t.Errorf("%s: no sample of at most 32 KB is read without an error: add a case with one", f.Name)
		}
	}
}

// fill makes a text of about a size: units, each made of its number, between a head and a tail.
func fill(size int, head, tail string, unit func(i int) string) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for i := 0; b.Len() < size-len(tail); i++ {
		b.WriteString(unit(i))
	}
	b.WriteString(tail)
	return b.Bytes()
}

// grown makes inputs of about a size of what a sample consists of, by what they have many of: rows, columns, lists
// and objects with numbers of their own, and all that a reader may look for in lines.
func grown(in file, size int) map[string][]byte {
	text := strings.TrimRight(string(in.data), "\n")
	more := func(unit func(i int) string) []byte { return fill(size, text+"\n", "\n", unit) }
	first, _, _ := strings.Cut(text, "\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	out := map[string][]byte{
		"rows of their own":     more(func(i int) string { return counted(last, i) + "\n" }),
		"samples of their own":  more(func(i int) string { return counted(text, i) + "\n" }),
		"the last line in one":  more(func(i int) string { return counted(last, i) + " " }),
		"the first line in one": more(func(i int) string { return counted(first, i) + " " }),
		"words of a line":       more(func(i int) string { return fmt.Sprintf("--a%d=b c: ", i) }),
	}
	for _, c := range " \t#`=-(\"'\\1%<|,:&*[{.\x00\xff" {
		out[fmt.Sprintf("lines of %q", c)] = more(func(int) string { return string(c) + "\n" })
	}
	for _, s := range []string{" ", "\t", "\"", "|", ",", "[", "<a>", "1,", "a|", "a=", "1e9", "\x1b[0m", "```\n", "--a \\\n",
		"<!--", "- - ", "? ", "&a ", "!!x ", "# x\n", "{{", "x: [", "\n---\n", "NaN, ", "NaN \n", "1e999,", "inf | "} {
		out[fmt.Sprintf("%q again and again", s)] = more(func(int) string { return s })
	}
	switch filepath.Ext(in.name) {
	case ".csv":
		out["many columns"] = widened(text, ",", size)
	case ".tsv":
		out["many columns"] = widened(text, "\t", size)
	case ".md":
		out["many columns"] = widened(text, "|", size)
	case ".yaml", ".yml":
		out["aliases of aliases"] = fill(size, text+"\nhostile:\n- &a0 [x, x, x, x, x, x, x, x, x]\n", "", func(i int) string {
			return fmt.Sprintf("- &a%d [%s]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9))
		})
	}
	if kind := reading.NewHead(in.name, in.data).Kind; kind != '{' && kind != '[' {
		return out
	}
	if end := strings.LastIndexByte(text, '}'); end > 0 {
		for what, value := range map[string]string{"NaN": "NaN,", "errors": "?NaN,"} {
			out["a list of "+what] = fill(size, text[:end]+`, "hostile": [`, "1]"+text[end:],
				func(int) string { return value })
		}
	}
	for _, p := range insides(text) {
		inner := text[p.from:p.to]
		out[fmt.Sprintf("what stands at %d", p.from)] = fill(size, text[:p.from], inner+text[p.to:], func(i int) string {
			if p.object {
				return fmt.Sprintf(`"k%d %s,`, i, counted(inner, i)[1:])
			}
			return counted(inner, i+1) + ","
		})
	}
	return out
}

// digits match the numbers of a text.
var digits = regexp.MustCompile(`[0-9]+`)

// counted is a text with i added to each number in it, so that no two are the same.
func counted(text string, i int) string {
	return digits.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s, 10, 62)
		if err != nil {
			return s
		}
		return fmt.Sprintf("%0*d", len(s), n+uint64(i))
	})
}

// widened gives columns to each row of a table, so that the text has about a size.
func widened(text, between string, size int) []byte {
	lines := strings.Split(text, "\n")
	columns := size / 6 / len(lines)
	named := false
	for i, line := range lines {
		cell := func(int) string { return between + "1.5" }
		switch {
		case between == "|" && !strings.HasPrefix(line, "|"):
			continue
		case strings.HasPrefix(line, "|-"), strings.HasPrefix(line, "| -"), strings.HasPrefix(line, "|:"):
			cell = func(int) string { return between + "---" }
		case !named:
			named = true
			cell = func(c int) string { return fmt.Sprintf("%sc%d", between, c) }
		}
		var b strings.Builder
		b.WriteString(strings.TrimSuffix(line, "|"))
		for c := range columns {
			b.WriteString(cell(c))
		}
		lines[i] = b.String()
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// inside is where an object or a list of a JSON text begins and ends, within its brackets.
type inside struct {
	object   bool
	from, to int
}

// insides are some two dozen of the objects and lists of a JSON text that are not empty.
func insides(text string) (all []inside) {
	var open []int
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			open = append(open, i+1)
		case (c == ']' || c == '}') && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if inner := strings.TrimSpace(text[from:i]); inner != "" {
				from += strings.Index(text[from:i], inner)
				all = append(all, inside{c == '}', from, from + len(inner)})
			}
		}
	}
	const most = 24
	var few []inside
	for i := 0; i < len(all); i += 1 + len(all)/most {
		few = append(few, all[i])
	}
	return few
}
