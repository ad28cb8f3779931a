package catalog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/ingest/record"
)

// Problem is a place in a catalog that cannot be read.
type Problem struct {
	// File is the name within the catalog's directory. Line and Col count from 1, 0 is unknown.
	File      string
	Line, Col int
	Message   string
}

// Error implements error: "file:line:col: message".
func (p *Problem) Error() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
		if p.Col > 0 {
			s += fmt.Sprintf(":%d", p.Col)
		}
	}
	return s + ": " + p.Message
}

// ErrNewer is wrapped by the error for a catalog that a newer inferdex wrote.
var ErrNewer = errors.New("written by a newer version of inferdex: update inferdex")

// Open reads the catalog whose root is fsys. A directory that does not exist is an empty
// catalog. All that is wrong is in the error, each problem as a *Problem with its place; with
// an error the catalog is nil. Names that begin with a dot are passed over.
func Open(fsys fs.FS) (*Catalog, error) { return (*Known)(nil).Open(fsys) }

// OpenSound is [Open] for whoever reads the sources again: runs whose files are damaged, theirs or those of
// their raw records, or hold what belongs elsewhere are left out, and damaged says which they are.
func OpenSound(fsys fs.FS) (_ *Catalog, damaged []error, _ error) {
	return (*Known)(nil).OpenSound(fsys)
}

// Outlines are what is known of runs without reading their files. Its methods may be called by several at a time.
type Outlines interface {
	// Outline is what is known of the run of a file that is as it was, nil where the file has to be read.
	Outline(name string, e fs.DirEntry) *Run
	// Read is told of each run that was read, and says what of it is held: the run, or its outline.
	Read(name string, e fs.DirEntry, r *Run) *Run
}

// OpenOutlined is [OpenSound] that does not read files of which there is an outline, and holds no more than the outline of
// others where [Outlines] say so: [Catalog.Whole] reads the whole of such a run. A file that was read to outline it was no
// damaged one.
func OpenOutlined(fsys fs.FS, outlines Outlines) (_ *Catalog, damaged []error, _ error) {
	return (&Known{outlines: outlines}).OpenSound(fsys)
}

// Known has the runs of a catalog that is opened again and again, by the SHA-256 of their files: what did not change is not
// decoded again. Nobody may change these runs. The zero value knows none; nil remembers nothing. It is used by one at a
// time.
type Known struct {
	runs     map[[sha256.Size]byte]*Run
	outlines Outlines
}

// Open is [Open] with what is known. The runs of the catalog are known from then on, and no others.
func (k *Known) Open(fsys fs.FS) (*Catalog, error) {
	c, damaged, err := k.OpenSound(fsys)
	if err = errors.Join(append(damaged, err)...); err != nil {
		return nil, err
	}
	return c, nil
}

// OpenSound is [OpenSound] as Known.Open is Open.
func (k *Known) OpenSound(fsys fs.FS) (_ *Catalog, damaged []error, _ error) {
	o := opening{raw: map[string]string{}}
	names, rawNames, err := o.list(fsys)
	if err != nil {
		return nil, nil, err
	}
	var runs []*Run
	var inputs []*Input
	var errs []error
	outlined := map[*Run]string{}
	if k != nil && k.outlines != nil {
		runs, inputs, errs = k.outlineAll(fsys, names, o.entries, outlined)
	} else {
		runs, inputs, errs = k.decodeAll(fsys, names)
	}
	for i, name := range names {
		switch {
		case errs[i] != nil:
			o.failed(errs[i])
		case inputs[i] != nil:
			o.input(name, inputs[i])
		default:
			o.run(name, runs[i])
		}
	}
	for _, name := range rawNames {
		o.records(name)
	}
	if len(o.problems) > 0 {
		return nil, o.damaged, errors.Join(o.problems...)
	}
	c := &o.catalog
	c.Sort()
	sums := make(map[string]string, len(c.Runs))
	for _, r := range c.Runs {
		sums[r.ID] = r.Records
	}
	c.Raw = func(id string) ([]RawRecord, error) {
		name := o.raw[id]
		if name == "" {
			return nil, nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		return decodeRaw(name, data, sums[id])
	}
	c.Intact = func(r *Run) bool {
		name := o.raw[r.ID]
		if name == "" || r.Records == "" {
			return false
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return false
		}
		sum, err := sumOf(data)
		return err == nil && sum == r.Records
	}
	if len(outlined) > 0 {
		c.Whole = func(r *Run) (*Run, error) {
			name, ok := outlined[r]
			if !ok {
				return r, nil
			}
			return ReadRun(fsys, name)
		}
		c.File = func(r *Run) ([]byte, error) {
			name, ok := outlined[r]
			if !ok {
				return nil, nil
			}
			return fs.ReadFile(fsys, name)
		}
	}
	return c, o.damaged, nil
}

// opening is a catalog while its files are read.
type opening struct {
	catalog Catalog
	// entries are those of the names of runs and inputs.
	entries []fs.DirEntry
	// raw has the name of the file of raw records by the id of the run, "" as long as none is found.
	raw               map[string]string
	problems, damaged []error
}

// unexpected notes a file that does not belong into a catalog.
func (o *opening) unexpected(name, hint string) {
	o.problems = append(o.problems, &Problem{File: name, Message: "unexpected file in a catalog: " + hint})
}

// misplaced notes a file whose content belongs into another: it may stand where a file is to be written anew.
func (o *opening) misplaced(name, to string) {
	o.damaged = append(o.damaged, &Problem{File: name, Message: fmt.Sprintf("unexpected file in a catalog: its content "+
		"belongs into %q: move it there, or remove it and ingest the sources of both again", to)})
}

// list are the names of the files of runs and inputs, and of those of raw records.
func (o *opening) list(fsys fs.FS) (names, rawNames []string, _ error) {
	top, err := fs.ReadDir(fsys, ".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, d := range top {
		switch {
		case strings.HasPrefix(d.Name(), "."):
			continue
		case !d.IsDir():
			o.unexpected(d.Name(), "move it out")
			continue
		}
		entries, err := fs.ReadDir(fsys, d.Name())
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			name := path.Join(d.Name(), e.Name())
			switch {
			case strings.HasPrefix(e.Name(), "."):
			case e.IsDir():
				o.unexpected(name, "move the directory out")
			case strings.HasSuffix(name, rawExt) && d.Name() != inputsDir:
				rawNames = append(rawNames, name)
			case strings.HasSuffix(name, runExt):
				names, o.entries = append(names, name), append(o.entries, e)
			default:
				o.unexpected(name, "move it out")
			}
		}
	}
	return names, rawNames, nil
}

// decodeAll reads files of runs and inputs: for each name one of the three has a value.
func (k *Known) decodeAll(fsys fs.FS, names []string) (runs []*Run, inputs []*Input, errs []error) {
	runs, inputs, errs = make([]*Run, len(names)), make([]*Input, len(names)), make([]error, len(names))
	var sums [][sha256.Size]byte
	if k != nil {
		sums = make([][sha256.Size]byte, len(names))
	}
	Each(len(names), func(i int) {
		data, err := fs.ReadFile(fsys, names[i])
		switch {
		case err != nil:
		case isInput(names[i]):
			inputs[i], err = decoded[Input](names[i], data)
		case k == nil:
			runs[i], err = decoded[Run](names[i], data)
		default:
			sums[i] = sha256.Sum256(data)
			if runs[i] = k.runs[sums[i]]; runs[i] == nil {
				runs[i], err = decoded[Run](names[i], data)
			}
		}
		errs[i] = err
	})
	if k != nil {
		k.runs = make(map[[sha256.Size]byte]*Run, len(names))
		for i, r := range runs {
			if r != nil {
				k.runs[sums[i]] = r
			}
		}
	}
	return runs, inputs, errs
}

// outlineAll is decodeAll that takes the outline of a run where there is one, and notes the names of these runs.
func (k *Known) outlineAll(fsys fs.FS, names []string, entries []fs.DirEntry, outlined map[*Run]string) (
	runs []*Run, inputs []*Input, errs []error,
) {
	runs, inputs, errs = make([]*Run, len(names)), make([]*Input, len(names)), make([]error, len(names))
	held := make([]bool, len(names)) // whole
	Each(len(names), func(i int) {
		if !isInput(names[i]) {
			if runs[i] = k.outlines.Outline(names[i], entries[i]); runs[i] != nil {
				return
			}
		}
		data, err := fs.ReadFile(fsys, names[i])
		switch {
		case err != nil:
		case isInput(names[i]):
			inputs[i], err = decoded[Input](names[i], data)
		default:
			var r *Run
			if r, err = decoded[Run](names[i], data); err != nil {
				break
			}
			if runs[i] = r; r.Path() == names[i] {
				runs[i] = k.outlines.Read(names[i], entries[i], r)
			}
			held[i] = runs[i] == r
		}
		errs[i] = err
	})
	for i, r := range runs {
		if r != nil && !held[i] {
			outlined[r] = names[i]
		}
	}
	return runs, inputs, errs
}

func isInput(name string) bool { return strings.HasPrefix(name, inputsDir+"/") }

// Each calls f for the numbers below n, several at a time: each goroutine takes every so-many-th.
func Each(n int, f func(i int)) {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}

// failed notes a file that cannot be read: a damaged one can be written again.
func (o *opening) failed(err error) {
	var p *Problem
	if errors.As(err, &p) {
		o.damaged = append(o.damaged, err)
	} else {
		o.problems = append(o.problems, err)
	}
}

func (o *opening) input(name string, in *Input) {
	in.name = name
	if name != in.File() && name != in.digestFile() { // folders were named by digests once
		o.misplaced(name, in.File())
		return
	}
	o.catalog.Inputs = append(o.catalog.Inputs, in)
}

func (o *opening) run(name string, r *Run) {
	if r.Path() != name {
		o.misplaced(name, r.Path())
		return
	}
	if _, twice := o.raw[r.ID]; twice {
		o.unexpected(name, fmt.Sprintf("the id %q occurs twice", r.ID))
		return
	}
	o.raw[r.ID] = ""
	o.catalog.Runs = append(o.catalog.Runs, r)
}

// records gives a file of raw records to its run, which may be a damaged one: they say what it was made of.
func (o *opening) records(name string) {
	id := strings.TrimSuffix(path.Base(name), rawExt)
	p, known := o.raw[id]
	wrong := len(o.problems)+len(o.damaged) > 0
	switch {
	case p == "" && (known || wrong):
		o.raw[id] = name
	case !wrong:
		o.unexpected(name, "there is no run to these raw records: remove it")
	}
}

// Sort puts runs and inputs into the order of a catalog.
func (c *Catalog) Sort() {
	type key struct{ slug, id string }
	keys := make(map[*Run]key, len(c.Runs))
	for _, r := range c.Runs {
		keys[r] = key{r.dir(), r.ID}
	}
	sort.Slice(c.Runs, func(i, j int) bool {
		a, b := keys[c.Runs[i]], keys[c.Runs[j]]
		if a.slug != b.slug {
			return a.slug < b.slug
		}
		return a.id < b.id
	})
	slices.SortStableFunc(c.Inputs, func(a, b *Input) int {
		return cmp.Or(cmp.Compare(a.SHA256, b.SHA256), cmp.Compare(a.Path, b.Path))
	})
}

// ReadRun reads the file of one run of the catalog whose root is fsys.
func ReadRun(fsys fs.FS, name string) (*Run, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	r, err := decoded[Run](name, data)
	if err == nil && r.Path() != name {
		err = &Problem{File: name, Message: fmt.Sprintf("its content belongs into %q", r.Path())}
	}
	return r, err
}

// decoded is what a file holds. name is for messages.
func decoded[T any](name string, data []byte) (*T, error) {
	v := new(T)
	if err := decodeFile(name, data, v); err != nil {
		return nil, err
	}
	return v, nil
}

// again is what to do with a file that cannot be read.
const again = "restore it or ingest its sources again"

// decodeFile decodes a file into v, a zero value.
func decodeFile(name string, data []byte, v any) error {
	damage := decode(data, v)
	if damage == nil && bytes.HasPrefix(data, []byte(current)) {
		return nil
	}
	// The version comes first: what a newer inferdex wrote is not damaged.
	var head struct {
		Version *int `json:"inferdex"`
	}
	err := json.Unmarshal(data, &head)
	var kind *json.UnmarshalTypeError
	switch {
	case err != nil && !errors.As(err, &kind): // decode says it with its place
	case head.Version == nil && err == nil:
		return &Problem{File: name, Message: `no file of a catalog: it has no "inferdex" version: ` + again}
	case head.Version != nil && *head.Version > FormatVersion:
		return fmt.Errorf("%s: version %d: %w", name, *head.Version, ErrNewer)
	case head.Version != nil && *head.Version < 1:
		return &Problem{File: name, Message: fmt.Sprintf("no version of a catalog: %d", *head.Version)}
	}
	if damage != nil {
		damage.File = name
		return damage
	}
	return nil
}

// current is how a file of this version begins.
var current = fmt.Sprintf("{\n  \"inferdex\": %d,\n", FormatVersion)

// decode reads one JSON value into v, a zero value, and says where it is damaged.
func decode(data []byte, v any) *Problem {
	if record.Unmarshal(data, v) {
		return nil
	}
	reflect.ValueOf(v).Elem().SetZero()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		rest := bytes.TrimLeft(data[d.InputOffset():], " \t\r\n")
		if len(rest) == 0 {
			return stray(data)
		}
		line, col := place(data, len(data)-len(rest))
		return &Problem{Line: line, Col: col,
			Message: "damaged: more follows after the end: " + again}
	}
	p := Damage(data, err, d.InputOffset())
	p.Message = "damaged: " + p.Message + ": " + again
	return p
}

// stray finds the first null of a file that is no value of a parameter and stands in no record. No other is written: what
// is not known is absent.
func stray(data []byte) *Problem {
	null, usual := []byte("null"), []byte(`{"value": `)
	for i := 0; ; i += len(null) {
		j := bytes.Index(data[i:], null)
		if j < 0 {
			return nil
		}
		if i += j; !bytes.HasSuffix(data[:i], usual) {
			break
		}
	}
	type level struct {
		key    string
		list   bool
		free   bool // any JSON may stand below
		isName bool // the next token is a name
	}
	levels := []level{{}}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		t, err := d.Token()
		if err != nil {
			return nil // decoded without an error before
		}
		at := &levels[len(levels)-1]
		if t == json.Delim('}') || t == json.Delim(']') {
			levels = levels[:len(levels)-1]
			levels[len(levels)-1].isName = !levels[len(levels)-1].list && len(levels) > 1
			continue
		}
		if at.isName {
			at.key, at.isName = t.(string), false
			continue
		}
		free := at.free || slices.Contains([]string{"value", "raw", "record"}, at.key)
		switch t {
		case json.Delim('{'), json.Delim('['):
			levels = append(levels, level{list: t == json.Delim('['), free: free, isName: t == json.Delim('{')})
			continue
		case nil:
			if !free {
				name := at.key
				for i := len(levels) - 1; name == "" && i >= 0; i-- {
					name = levels[i].key
				}
				line, col := place(data, int(d.InputOffset())-len(null))
				return &Problem{Line: line, Col: col, Message: fmt.Sprintf("damaged: %s has a null: what is not known is absent: %s",
					cmp.Or(name, "the file"), again)}
			}
		}
		at.isName = !at.list && len(levels) > 1
	}
}

// Damage says where data are damaged that package json refused, at offset where the error does not tell. The problem
// names no file.
func Damage(data []byte, err error, offset int64) *Problem {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	message := strings.TrimPrefix(err.Error(), "json: ")
	switch {
	case message == "unexpected EOF" || message == "EOF" || message == "unexpected end of JSON input":
		offset, message = int64(len(data)), "the file ends too early"
	case errors.As(err, &syntax):
		offset = max(syntax.Offset-1, 0)
	case errors.As(err, &kind):
		offset = kind.Offset
		message = fmt.Sprintf("%s cannot be a %s", kind.Field, kind.Value)
	case strings.HasPrefix(message, "unknown field "):
		if i := bytes.Index(data, []byte(strings.TrimPrefix(message, "unknown field ")+":")); i >= 0 {
			offset = int64(i)
		}
	}
	line, col := place(data, int(offset))
	return &Problem{Line: line, Col: col, Message: message}
}

func place(data []byte, offset int) (line, col int) {
	before := data[:min(offset, len(data))]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
