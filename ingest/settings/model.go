package settings

import (
	"cmp"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// weightBits are the bits one weight takes, by precision. A mixture has no entry.
var weightBits = []struct {
	bits       float64
	precisions []string
}{
	{32, []string{"fp32", "f32"}},
	{16, []string{"bf16", "fp16", "f16"}},
	{8, []string{"fp8", "int8", "w8a8", "w8a16"}},
	{4, []string{"int4", "w4a16", "w4a8", "w4a4", "fp4", "nvfp4", "mxfp4"}},
}

// WeightBytes is what all weights take: parameters times the bytes of the precision. For
// quantised models it is a lower bound: scales, and layers that stay in 16 bits, are not in it.
// ok is false where the parameters or the precision are not known, or the precision is a mixture.
func (m Model) WeightBytes() (bytes float64, ok bool) {
	for _, w := range weightBits {
		if slices.Contains(w.precisions, m.Precision) && m.ParamsB != nil {
			return math.Round(*m.ParamsB * 1e9 * w.bits / 8), true
		}
	}
	return 0, false
}

func (n *Names) readModels(tables []namesTable) {
	based := map[string]namesTable{} // that say of what a model was made, by its id
	n.models.read(tables, func(id string) *Model {
		org, base := splitOrg(id)
		return &Model{ID: id, Org: org, Name: base, Slug: record.Slug(base), Known: true}
	}, func(t namesTable, m *Model) {
		m.Name = cmp.Or(t.text("name"), m.Name)
		m.Slug = cmp.Or(t.text("slug"), m.Slug)
		m.Base = cmp.Or(t.text("base"), m.Base)
		m.Attention = cmp.Or(t.text("attention"), m.Attention)
		m.Precision = cmp.Or(t.text("precision"), m.Precision)
		m.Quantization = cmp.Or(t.text("quantization"), m.Quantization)
		m.Source = cmp.Or(t.text("source"), m.Source)
		m.Size = cmp.Or(t.text("size"), m.Size)
		m.ParamsB = cmp.Or(t.number("params_b"), m.ParamsB)
		m.ActiveParamsB = cmp.Or(t.number("active_params_b"), m.ActiveParamsB)
		m.Layers = cmp.Or(t.whole("layers"), m.Layers)
		m.KVHeads = cmp.Or(t.whole("kv_heads"), m.KVHeads)
		m.HeadDim = cmp.Or(t.whole("head_dim"), m.HeadDim)
		if m.Slug != "" && record.PathName(m.Slug) != m.Slug {
			t.doc.report(t.at("slug"), "slug is %q, want lower-case letters, digits, . and -", m.Slug)
			m.Slug = record.PathName(m.Slug)
		}
	}, func(t namesTable, i int, aliases []string) {
		m := n.models.all[i]
		if _, ok := t.m["base"]; ok {
			based[m.ID] = t
		}
		m.Aliases = append(slices.Clip(m.Aliases), aliases...)
		if old, ok := n.modelSlugs[m.Slug]; ok && old != i {
			t.doc.report(t.at("id"), "%q and %q share the slug %q: give one of them slug = \"...\"",
				m.ID, n.models.ids[old], m.Slug)
		}
		n.modelSlugs[m.Slug] = i
	})
	n.breakCircles(based)
	for i, m := range n.models.all {
		_, base := splitOrg(m.ID)
		k := modelKey(base)
		if old, ok := n.modelBases[k]; ok && old != i {
			n.modelBases[k] = -1 // two organisations: the bare name says neither
			continue
		}
		n.modelBases[k] = i
	}
}

// breakCircles reports models that were made of themselves by the bases that the tables state, and takes the base away
// that closes a circle.
func (n *Names) breakCircles(tables map[string]namesTable) {
	index := map[string]int{}
	for i, m := range n.models.all {
		index[m.ID] = i
	}
	from := make([]int, len(n.models.all)) // where the walk over a model began, from 1
	for i := range n.models.all {
		at, ok := i, true
		for ok && from[at] == 0 {
			from[at] = i + 1
			m := n.models.all[at]
			if at, ok = index[m.Base]; ok && from[at] == i+1 {
				t := tables[m.ID]
				t.doc.report(t.at("base"), "base of %q is %q, which was itself made of it, in a circle: leave out the wrong one",
					m.ID, m.Base)
				m.Base = ""
			}
		}
	}
}

// modelKey is a spelling without what does not tell models apart: case, and which characters
// stand between letters and digits. The organisation stays.
func modelKey(written string) string {
	org, name := splitOrg(written)
	word := func(s string) string {
		return strings.ReplaceAll(record.Slug(strings.ReplaceAll(s, ".", "-")), ".", "-")
	}
	if org == "" {
		return word(name)
	}
	return word(org) + "/" + word(name)
}

// splitOrg parts "organisation/name", also where a directory's name has "--" for the slash.
func splitOrg(written string) (org, name string) {
	for _, between := range []string{"/", "--"} {
		if org, name, ok := strings.Cut(written, between); ok && name != "" && organisation.MatchString(org) {
			return org, name
		}
	}
	return "", written
}

// organisation is what a model hub allows: nothing else in front of a slash is one.
var organisation = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

var (
	hubCache  = regexp.MustCompile(`(?:^|/)models--([^/]+?)--([^/]+)(?:/snapshots/[^/]*)?/?$`)
	driveName = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
)

// modelName reduces a model as written to "organisation/name" or "name": of a path of the local
// machine the last name stays, of a cache of a model hub the model.
func modelName(written string) string {
	s := strings.TrimRight(clip(strings.TrimSpace(written), longestName), `/\`)
	if m := hubCache.FindStringSubmatch(s); m != nil {
		return m[1] + "/" + m[2]
	}
	if driveName.MatchString(s) {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	local := strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "~") ||
		driveName.MatchString(s) || strings.Count(s, "/") > 1 && organisation.MatchString(s[:strings.IndexByte(s, '/')])
	if local {
		s = path.Base(s)
	}
	s = strings.TrimSuffix(s, ".gguf")
	if org, name := splitOrg(s); org != "" && strings.TrimSpace(name) != "" {
		return strings.TrimSpace(org) + "/" + strings.TrimSpace(name)
	}
	return strings.TrimSpace(s)
}

// Model resolves a model as a source writes it. It never fails: a model that is not listed has
// Known false, the name as written, and what the name tells of size and quantisation.
func (n *Names) Model(written string) Model {
	s := modelName(written)
	if n != nil && s != "" {
		if i, ok := n.models.keys[modelKey(s)]; ok {
			return n.models.all[i].clone()
		}
		// A bare name means the listed model of that name, if there is one; another
		// organisation's model of that name may hold other weights.
		if org, base := splitOrg(s); org == "" {
			if i, ok := n.modelBases[modelKey(base)]; ok && i >= 0 {
				return n.models.all[i].clone()
			}
			// In the name of a file "_" stands for the "/" behind the organisation.
			if i, ok := n.models.keys[modelKey(strings.Replace(s, "_", "/", 1))]; ok {
				return n.models.all[i].clone()
			}
		}
	}
	if strings.Trim(s, ". ") == "" || record.Slug(s) == NotRecorded || Placeholder(s) {
		return Model{ID: "", Name: "Model not recorded", Slug: NotRecorded}
	}
	org, base := splitOrg(s)
	m := Model{ID: s, Org: org, Name: base, Slug: unlistedSlug(base)}
	if n != nil {
		if _, taken := n.modelSlugs[m.Slug]; taken {
			m.Slug = record.DistinctSlug(m.Slug, s)
		}
	}
	file := strings.ToLower(strings.TrimSpace(written))
	if strings.HasSuffix(file, ".gguf") && !strings.Contains(strings.ToLower(base), "gguf") {
		base += "-GGUF"
	}
	m.parse(base)
	return m
}

// clone keeps callers from changing what Names holds.
func (m Model) clone() Model {
	m.Parsed = slices.Clone(m.Parsed)
	return m
}

// Parts of names. A part ends where letters and digits end.
var (
	partMixture = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])([0-9]+x[0-9]+(?:\.[0-9]+)?b)(?:$|[^a-z0-9])`)
	partSize    = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])([0-9]+(?:\.[0-9]+)?)(b|m)(?:$|[^a-z0-9])`)
	partActive  = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])a([0-9]+(?:\.[0-9]+)?)b(?:$|[^a-z0-9])`)
	partType    = regexp.MustCompile(
		`(?i)(?:^|[^a-z0-9])(fp32|f32|bf16|fp16|f16|fp8|f8|int8|int4|fp4|nvfp4|mxfp4|mxfp6|` +
			`[2-8]-?bit|w[48]a(?:16|8|4))(?:$|[^a-z0-9])`)
	partMethod = regexp.MustCompile(
		`(?i)(?:^|[^a-z0-9])(awq|gptq|gguf|exl2|exl3|bnb|hqq|aqlm|nf4|smoothquant|autoround)` +
			`(?:$|[^a-z0-9])`)
	partGGUF = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(i?q[1-8](?:_[0-9a-z]+)*|tq[12]_0)(?:$|[^a-z0-9_])`)
)

// methodNames writes quantisation methods as their authors do.
var methodNames = map[string]string{
	"bnb": "bitsandbytes", "nf4": "bitsandbytes NF4", "smoothquant": "SmoothQuant", "autoround": "AutoRound",
}

// parse fills in what the name says of size, precision and quantisation.
func (m *Model) parse(name string) {
	m.parseSize(name)
	m.parseActive(name)
	types, method := typesIn(name), methodIn(name)
	if method == "AWQ" && len(types) == 0 {
		types["int4"] = true // the method knows no other
	}
	switch len(types) {
	case 0:
	case 1:
		m.Precision = slices.Sorted(maps.Keys(types))[0]
		m.note("precision")
	default:
		m.Precision = "mixed " + strings.Join(slices.Sorted(maps.Keys(types)), " ")
		m.note("precision")
	}
	if method == "" && len(types) == 1 {
		switch m.Precision {
		case "bf16", "fp16", "fp32":
		default:
			method = strings.ToUpper(m.Precision)
		}
	}
	if method != "" {
		m.Quantization = method
		m.note("quantization")
	}
}

// note says that a value was taken from the name.
func (m *Model) note(key string) { m.Parsed = append(m.Parsed, key) }

// parseSize reads the parameters, all of them: "8x7B", "27B", "560m".
func (m *Model) parseSize(name string) {
	if mix := partMixture.FindStringSubmatch(name); mix != nil {
		// Experts share layers: the product would be too many.
		m.Size = strings.ToUpper(mix[1][:len(mix[1])-1]) + "B"
		m.Size = strings.Replace(m.Size, "X", "x", 1)
		m.note("size")
		return
	}
	size := partSize.FindStringSubmatch(name)
	if size == nil {
		return
	}
	if v, err := strconv.ParseFloat(size[1], 64); err == nil && v > 0 && v < 1e6 {
		if strings.EqualFold(size[2], "m") {
			v /= 1000
		}
		m.ParamsB = &v
		m.Size = size[1] + strings.ToUpper(size[2])
		m.note("params_b")
		m.note("size")
	}
}

// parseActive reads the parameters that a token uses: "A3B". It needs the size.
func (m *Model) parseActive(name string) {
	active := partActive.FindStringSubmatch(name)
	if active == nil {
		return
	}
	if v, err := strconv.ParseFloat(active[1], 64); err == nil && v > 0 && (m.ParamsB == nil || v <= *m.ParamsB) {
		m.ActiveParamsB = &v
		if m.Size != "" {
			m.Size += "-A" + active[1] + "B"
		}
		m.note("active_params_b")
	}
}

// typesIn are the types of numbers that a name has, by one spelling each.
func typesIn(name string) map[string]bool {
	types := map[string]bool{}
	for rest := name; ; {
		loc := partType.FindStringSubmatchIndex(rest)
		if loc == nil {
			return types
		}
		typ := strings.ToLower(rest[loc[2]:loc[3]])
		switch {
		case strings.HasSuffix(typ, "bit"):
			typ = map[byte]string{'4': "int4", '8': "int8"}[typ[0]]
		case typ == "f8":
			typ = "fp8"
		case typ == "f16":
			typ = "fp16"
		case typ == "f32":
			typ = "fp32"
		}
		if typ != "" {
			types[typ] = true
		}
		rest = rest[loc[3]:]
	}
}

// methodIn is the method of quantisation that a name has, with the type of a GGUF file; "" for none.
func methodIn(name string) string {
	method := ""
	if q := partMethod.FindStringSubmatch(name); q != nil {
		method = cmp.Or(methodNames[strings.ToLower(q[1])], strings.ToUpper(q[1]))
	}
	if g := partGGUF.FindStringSubmatch(name); g != nil {
		method = cmp.Or(method, "GGUF") + " " + strings.ToUpper(g[1])
	}
	return method
}
