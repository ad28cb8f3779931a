package normalize

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// claim is one statement of metadata with its authority.
type claim struct {
	key, value string
	from       catalog.Authority
	file       string
	line       int
	reason     string // of an override
	depth      int    // how near the file stands to the results: the larger is the nearer
}

// noteOn reports whether the claim is of data/notes on the run of an id.
func (c claim) noteOn(id string) bool { return path.Base(c.file) == id+".toml" }

// where is where the claim stands: what was said on the command line has no file.
func (c claim) where() string {
	if c.file == "" {
		return string(c.from)
	}
	return whereAt(c.file, c.line)
}

// nearest is the depth of statements in records that name their session.
const nearest = 1 << 30

// names understands hardware texts; without a list of names no text is understood.
type names struct{ *settings.Names }

// hardware are the accelerators a text may mean and their count, 0 where it states none. ids is
// empty for a text that is no hardware; strict wants that it says nothing more, as the name of a
// directory must.
func (n names) hardware(text string, strict bool) (ids []string, count int) {
	if n.Names == nil {
		return nil, 0
	}
	h := n.Names.Hardware(text, 0)
	if !h.Accelerator.Known || strict && h.Note != "" {
		return nil, 0
	}
	if !h.CountAssumed {
		count = h.Count
	}
	return append([]string{h.Accelerator.ID}, h.Accelerator.Variants...), count
}

// sameHardware reports whether two texts may mean the same. exact wants equal counts; else a
// text without a count fits any.
func (n names) sameHardware(a, b string, exact bool) (same, known bool) {
	x, i := n.hardware(a, false)
	y, j := n.hardware(b, false)
	if len(x) == 0 || len(y) == 0 {
		return false, false
	}
	if i != j && (exact || i != 0 && j != 0) {
		return false, true
	}
	return slices.ContainsFunc(x, func(id string) bool { return slices.Contains(y, id) }), true
}

// differentHardware reports whether two texts name different accelerators, or different numbers of one. A
// text that no list knows differs from another by the number of its model, where it has one: an "RTX 3060
// Laptop GPU" is no H100, and "Radeon Graphics" may be any.
func (n names) differentHardware(a, b string) bool {
	if same, known := n.sameHardware(a, b, false); known {
		return !same
	}
	if fold(a) == fold(b) {
		return false
	}
	if x, y := n.Vendor(a), n.Vendor(b); x != "" && y != "" && x != y {
		return true
	}
	x, y := n.modelNumbers(a), n.modelNumbers(b)
	return len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(x, func(w string) bool { return slices.Contains(y, w) })
}

// modelNumber is a word that tells one accelerator from another: no size of memory, no count, no architecture.
var modelNumber = regexp.MustCompile(`^(?:[a-z]{0,5}[0-9]{2,5}[a-z]{0,4}|[a-z][0-9])$`)

var noModelNumber = regexp.MustCompile(`^(?:[0-9]+(?:g|gb|gib|w|x)|gfx.*|hbm.*|sm.*|cuda.*|v[0-9]+)$`)

// modelNumbers are the words of a hardware text that tell accelerators apart, of the listed name too.
func (n names) modelNumbers(text string) (out []string) {
	if n.Names != nil {
		if h := n.Names.Hardware(text, 0); h.Accelerator.Known {
			text += " " + h.Accelerator.Name + " " + h.Accelerator.Short
		}
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if modelNumber.MatchString(w) && !noModelNumber.MatchString(w) {
			out = append(out, w)
		}
	}
	return out
}

// same reports whether two values of a key say the same.
func (n names) same(key, a, b string) bool {
	if a == b {
		return true
	}
	x, y := fold(a), fold(b)
	if x == y {
		return true
	}
	switch key {
	case record.FactHardware:
		same, _ := n.sameHardware(a, b, false)
		return same
	case record.FactModel:
		return n.sameModel(a, b)
	case record.FactPrecision:
		p, q := n.Quantization(a), n.Quantization(b)
		return p.Known && p.ID == q.ID
	case record.FactEngineVersion, record.FactToolVersion:
		return strings.TrimPrefix(x, "v") == strings.TrimPrefix(y, "v")
	case record.FactCount:
		i, err1 := strconv.Atoi(x)
		j, err2 := strconv.Atoi(y)
		return err1 == nil && err2 == nil && i == j
	}
	return false
}

// fold is a text without case, and with one space where there is white space or an underscore.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return r == ' ' || r == '_' || r == '\t' }), " ")
}

// unset finds in a command line what a shell, a template or a reader was to replace: "$MODEL", "${X:-y}",
// "$(pwd)", "{model}", "{{ model }}", "%MODEL%", "%(model)s", "@MODEL@", "__MODEL__", "<model>", "...".
var unset = regexp.MustCompile("\\$[({A-Za-z_0-9@*]|`[^`]+`|\\{\\{?[ ]*[A-Za-z_][\\w.]*[ ]*\\}|%[A-Z_]+%|%\\(\\w+\\)s|@[A-Z_]+@|" +
	`__[A-Z_]+__|(?:^|[\s=])<[A-Za-z][\w .-]*>|(?:^|\s)(?:\.\.\.|…)(?:\s|$)|(?:^|[\s=/])path/to/`)

// ofWords are the keys whose values are names: no word of a template, and no word for what was to be filled in.
var ofWords = []string{
	record.FactModel, record.FactHardware, record.FactEngine, record.FactEngineVersion, record.FactServedName,
	record.FactTokenizer, record.FactImage,
}

// unnamedWords stand where a name should.
var unnamedWords = regexp.MustCompile(
	`(?i)^(?:auto|default|\[[a-z_ -]*\]|[*&]\w+|(?:the[-_ ])?(?:model|hardware|gpu|engine|accelerator)(?:[-_ ](?:name|id|path|here|type))?)$`)

// states reports whether a fact of a description says something.
func states(key, value string) bool {
	value = strings.TrimSpace(value)
	switch {
	case value == "" || settings.Placeholder(value):
		return false
	case key == record.FactCommand || key == record.FactClientCommand || slices.Contains(ofWords, key) && unset.MatchString(value):
		return !unset.MatchString(value)
	}
	return !slices.Contains(ofWords, key) || !unnamedWords.MatchString(value)
}

// sameModel reports whether two texts may name one model: one is missing, they are equal, one leaves out
// the organisation or the folder, or data/names knows both as one.
func (n names) sameModel(a, b string) bool {
	return a == "" || b == "" || a == b || n.modelOf(a).same(n.modelOf(b))
}

// model is a text that names a model, in the forms in which it is compared.
type model struct {
	folded, whole, base string
	foldered            bool   // with the organisation or the folder
	id                  string // in data/names, "" where it is not listed
}

func (n names) modelOf(text string) model {
	m := model{folded: fold(text), whole: record.Slug(strings.ReplaceAll(text, "/", "_")),
		base: record.Slug(strings.TrimSuffix(path.Base(text), ".gguf")), foldered: strings.Contains(text, "/")}
	if n.Names != nil {
		if listed := n.Model(text); listed.Known {
			m.id = listed.ID
		}
	}
	return m
}

// same reports whether two models may be one; one without a text may be any.
func (m model) same(o model) bool {
	return m.folded == "" || o.folded == "" || m.folded == o.folded || m.whole == o.whole ||
		m.foldered != o.foldered && m.base == o.base || m.id != "" && m.id == o.id
}

// forms are the texts of which two models that may be one, be it because a third one may be both, have one in
// common. That of a model without a text is "".
func (m model) forms() []string {
	if m.folded == "" {
		return []string{""}
	}
	behind := m.folded[strings.LastIndexAny(m.folded, "/ ")+1:] // fold has made blanks of underscores
	out := []string{"=" + m.folded, m.whole, m.base, record.Slug(strings.TrimSuffix(behind, ".gguf"))}
	if m.id != "" {
		out = append(out, "#"+m.id)
	}
	return out
}
