// Package sessions finds out which files and records belong to one session of measuring, by folders,
// names and setups.
package sessions

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Group names what the files of one run share that hold one measurement each: their folder, and
// what their names say beyond load and date.
func Group(file string) string {
	folder, name := Split(file)
	return folder + " " + Variant(strings.TrimSuffix(name, path.Ext(name)))
}

// Batch holds the records of a file back until it is known how many of them are results.
type Batch struct {
	Records []record.Record
	Results int

	errors int
	last   record.SyntaxError
	folder record.Folder
	setups map[string][]record.KV // the last one of each model: most results have it
}

// manyResults is from which result of a file on their values are folded: [ingest.Read] opens them.
const manyResults = 1000

// manyErrors is more than anybody lists of one file.
const manyErrors = 1000

// AddParts adds a result whose text is in two parts, as [record.Result.Text] gives it. Values are not kept.
func (b *Batch) AddParts(res *record.Result, keys []string, values []byte) {
	if b.Results >= manyResults {
		b.folder.FoldParts(res, keys, values)
	} else {
		res.SetParts(keys, values)
	}
	b.Add(res)
}

// Add adds a record. Of a file of millions of errors each counts, and the last one stands for those that nobody lists.
func (b *Batch) Add(r record.Record) {
	switch x := r.(type) {
	case *record.Result:
		if b.Results++; b.Results > manyResults {
			b.folder.Fold(x)
		}
		if last := b.setups[x.Identity.Model]; len(last) > 0 && slices.Equal(last, x.Setup) {
			x.Setup = last
		} else if b.Results > 1 {
			if b.setups == nil {
				b.setups = map[string][]record.KV{}
			}
			b.setups[x.Identity.Model] = x.Setup
		}
	case *record.SyntaxError:
		if b.errors++; b.errors > manyErrors {
			b.last = *x
			return
		}
	}
	b.Records = append(b.Records, r)
}

// Container is what a file's results are a part of: the file, where it holds several. Files with one
// result each, but for standard input, are joined as [Group] says.
func (b *Batch) Container(file string) string {
	if b.Results <= 1 && file != "-" {
		return Group(file)
	}
	return file
}

// Emit names the session of each result by key and emits all records. Describe, if it is not nil, is
// called behind the first result of each session, to emit what holds for all of the session.
func (b *Batch) Emit(key func(*record.Result) string, describe func(*record.Result), emit func(record.Record)) {
	described, known := map[string]bool{}, map[string]string{}
	for _, r := range b.Records {
		res, ok := r.(*record.Result)
		if ok {
			k := key(res)
			if known[k] == "" {
				known[k] = k
			}
			res.Key = known[k] // one text for all results of a session
		}
		if emit(r); ok && describe != nil && !described[res.Key] {
			described[res.Key] = true
			describe(res)
		}
	}
	for range b.errors - manyErrors {
		emit(&b.last)
	}
}

// Key names the session of a result of a tool: results of one container, a file or what
// [Group] says, whose model and setup agree are one run. The setup is in it as a digest, since it
// may hold what must not be shown; its order says nothing, since some tools sort their keys.
func Key(tool, container string, r *record.Result) string {
	kv := quoted(r.Setup)
	sort.Strings(kv)
	return record.SessionKey(tool, container, r.Identity.Model, Digest(strings.Join(kv, "\n")))
}

// Setup is a setup as one text, in its order: different setups never give equal texts.
func Setup(setup []record.KV) string { return strings.Join(quoted(setup), "") }

func quoted(setup []record.KV) []string {
	kv := make([]string, 0, len(setup))
	for _, s := range setup {
		kv = append(kv, strconv.Quote(s.Key)+strconv.Quote(s.Value))
	}
	return kv
}

// Digest stands in the name of a session for a text that is long or must not be shown: 12
// hexadecimal digits.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// Params are the parameters of the server among the setup of a result, those that want takes; nil where
// there are none. They belong to the session of the result.
func Params(res *record.Result, want func(key string) bool) *record.Params {
	p := &record.Params{Base: res.Beside(), Of: "server"}
	for _, s := range res.Setup {
		if !want(s.Key) {
			continue
		}
		value := json.RawMessage(s.Value)
		if _, err := strconv.ParseFloat(s.Value, 64); (err != nil && s.Value != "true" && s.Value != "false") ||
			!json.Valid(value) {
			value, _ = json.Marshal(s.Value) // a string always encodes
		}
		p.Params = append(p.Params, record.Param{Name: strings.ReplaceAll(s.Key, "-", "_"), Value: value})
	}
	if len(p.Params) == 0 {
		return nil
	}
	return p
}
