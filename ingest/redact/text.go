// Package redact takes secrets, prompts, and names of machines and people out of what was read. What it
// knows of keys is in keys.go, of texts in text.go; records and JSON are walked by the other two files.
package redact

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Hidden stands for what must not leave the building.
const Hidden = "redacted"

// Message is a message about an input without secrets, prompts, and names of machines and people:
// what a reader says of a value it cannot use quotes the value, and logs of CI jobs are public.
func Message(message string) string {
	return (&Redactor{}).Text(message)
}

// Redactor takes secrets and identities out of texts. It is idempotent: what it wrote stays as
// it is. Numbers, booleans, null and lists of numbers are never touched. It remembers texts,
// since the records of a suite repeat theirs a hundred times.
type Redactor struct {
	memo map[string]string
}

// Value is the text of a key without what must not be in it.
func (r *Redactor) Value(key, s string) string {
	switch {
	case says(s):
		return s
	case secretKey(key):
		return Hidden
	case identityKey(key):
		if host := strings.TrimSpace(s); open(host) || number(host) {
			return s
		}
		return Hidden
	case contentKey(key) && !number(s), prose(key, s):
		return Hidden
	}
	return r.Text(s)
}

// versions are keys of facts whose texts may be four numbers with dots and no address.
var versions = map[string]bool{
	record.FactEngineVersion: true, record.FactToolVersion: true, record.FactDriver: true, record.FactCUDA: true,
	record.FactROCm: true, record.FactKernel: true, record.FactWrapper: true,
}

// Fact is the text of a fact, whoever states it: a record, a sidecar, a rule or a flag. A label
// is judged by the name it was given.
func (r *Redactor) Fact(key, s string) string {
	if key == record.FactModel || versions[key] {
		return r.Secrets(s)
	}
	return r.Value(strings.TrimPrefix(key, "labels."), s)
}

func number(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

var (
	reStated  = regexp.MustCompile(`"([^"\\\s]+)" is ("(?:[^"\\]|\\.)*")`)
	rePEM     = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)`)
	reURL     = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/@"'<>]+@)?(\[[0-9A-Fa-f:.]+\]|[^\s/:?#"'<>,;)\]}|]*)`)
	reUser    = regexp.MustCompile(`://[^\s/@"'<>]+@`)
	reBearer  = regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{4,}`)
	reAuth    = regexp.MustCompile(`(?i)(authorization["']?\s*[:=]\s*["']?)(?:(basic|bearer|digest|token|apikey)\s+)?[^\s"',}]+`)
	reToken   = regexp.MustCompile(`\b(?:hf_[A-Za-z0-9]{6,}|sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{8,}|glpat-[A-Za-z0-9_-]{8,}|xox[abprs]-[A-Za-z0-9-]{8,}|nvapi-[A-Za-z0-9_-]{8,}|A[KS]IA[0-9A-Z]{12,}|AIza[0-9A-Za-z_-]{20,}|eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?)`)
	reSigned  = regexp.MustCompile(`(?i)([?&](?:sig|signature|key)=)[^&\s"'<>#]+`)
	reFlag    = regexp.MustCompile(`(?:^|[\s"'\[,(])--?([A-Za-z][A-Za-z0-9_.-]*)(\s*\\\r?\n\s*|["']?\s*[,=]\s*|["']?\s+)`)
	reAssign  = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.-]*)(["']?\s*[=:]\s*)`)
	reLabel   = regexp.MustCompile(`(?im)\b((?:serial|board|asic|product) (?:number|serial|uuid|id)|(?:gpu |mig )?uuid|unique id|host ?name|node ?name|mac addr(?:ess)?|ip addr(?:ess)?|api key|private key|user ?name)(\s*[:=]\s*)([^\s"')][^\n"')]*)`)
	reTag     = regexp.MustCompile(`<([A-Za-z_][A-Za-z0-9_]*)>([^<]+)</`)
	reUUID    = regexp.MustCompile(`(?i)\b(?:GPU-|MIG-|MIG-GPU-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	reMAC     = regexp.MustCompile(`\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5,7}\b|\b[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5,7}\b`)
	reIPv4    = regexp.MustCompile(`\b\d{1,3}(?:\.\d{1,3}){3}\b`)
	reIPv6    = regexp.MustCompile(`[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?`)
	reHome    = regexp.MustCompile(`(/home/|/Users/|\\Users\\|\\\\Users\\\\)([^/\\\s"':;,]+)`)
	reMail    = regexp.MustCompile(`\b([A-Za-z0-9._+-]+)@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(:[~/])?`)
	reRPC     = regexp.MustCompile(`\b(RPC\[)([^\]\s:]+)((?::\d+)?\])`)
	reVersion = regexp.MustCompile(`(?i)(?:version\s*[:=]?\s*["']?v?|[=<>~]=\s*|[-_]v?|\.so\.|\bv)$`)
)

// homes are directories below /home that belong to no person.
var homes = map[string]bool{"data": true, "models": true, "model": true, "ubuntu": true, "runner": true, "vllm": true, Hidden: true}

// hfWords are words behind "hf_" in names of parameters and modules.
var hfWords = map[string]bool{
	"overrides": true, "tokenizer": true, "tokenizers": true, "transfer": true, "config": true, "processor": true, "quantizer": true,
	"endpoint": true, "datasets": true, "dataset": true, "models": true, "folder": true, "subset": true, "output": true, "transformers": true,
}

// maxText bounds every text that is kept, in bytes: chat templates have some 20,000, and a text
// that is longer is a log or a mistake that nobody reads in a catalog.
const (
	maxText = 64 << 10
	cutMark = "… (cut)"
)

// Text takes secrets and identities out of a text of any kind: a value, a command, a line of a
// log, a page.
func (r *Redactor) Text(s string) string {
	if len(s) < 6 { // shorter than the shortest secret, address or path
		return s
	}
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText-len(cutMark)], "") + cutMark
	}
	if t, ok := r.memo[s]; ok {
		return t
	}
	t := r.Secrets(s)
	t = r.identities(t)
	if r.memo == nil {
		r.memo = map[string]string{}
	}
	if len(s) < 4096 && len(r.memo) < 1<<16 {
		r.memo[s] = t
	}
	return t
}

// Secrets takes only secrets and the user names of home paths out of a text: what identifies a
// run is made of texts that must stay apart.
func (r *Redactor) Secrets(s string) string {
	if strings.Contains(s, "PRIVATE KEY") {
		s = rePEM.ReplaceAllString(s, Hidden)
	}
	if strings.Contains(s, "://") {
		s = reUser.ReplaceAllString(s, "://"+Hidden+"@")
		s = reSigned.ReplaceAllString(s, "${1}"+Hidden)
	}
	if len(s) > 8 {
		s = reAuth.ReplaceAllString(s, "${1}"+Hidden)
		s = reBearer.ReplaceAllString(s, "${1}"+Hidden)
		s = reToken.ReplaceAllStringFunc(s, func(m string) string {
			if w, ok := strings.CutPrefix(m, "hf_"); ok && hfWords[w] {
				return m
			}
			return Hidden
		})
	}
	// Messages of readers: "backend.api_key" is "...", a number was expected.
	if strings.Contains(s, `" is "`) {
		s = replaceSubmatches(reStated, s, func(m []string) string {
			if !secretKey(m[1]) && !identityKey(m[1]) && !contentKey(m[1]) && !prose(m[1], m[2]) || says(unquoted(m[2])) {
				return m[0]
			}
			return `"` + m[1] + `" is "` + Hidden + `"`
		})
	}
	if strings.ContainsRune(s, '-') {
		either := func(name string) bool { return secretKey(name) || identityKey(name) }
		s = replaceValues(reFlag, s, either, '-', func(name, _, v string) bool { return secretKey(name) || !open(v) })
	}
	if strings.ContainsAny(s, "=:") {
		s = replaceValues(reAssign, s, secretKey, 0, func(_, sep, v string) bool { return !strings.ContainsRune(sep, ':') || !number(v) })
	}
	return reHome.ReplaceAllStringFunc(s, func(m string) string {
		g := reHome.FindStringSubmatch(m)
		if homes[g[2]] {
			return m
		}
		return g[1] + Hidden
	})
}

// identities takes what names a machine or a person out of a text.
func (r *Redactor) identities(s string) string {
	if strings.ContainsAny(s, "=:") {
		s = replaceValues(reAssign, s, identityKey, '/', func(_, _, v string) bool { return !open(v) && !number(v) })
		s = replaceSubmatches(reLabel, s, func(m []string) string {
			v := strings.TrimSpace(m[3])
			if says(v) || open(v) {
				return m[0]
			}
			return m[1] + m[2] + Hidden
		})
	}
	if strings.Contains(s, "</") {
		s = replaceSubmatches(reTag, s, func(m []string) string {
			if !secretKey(m[1]) && !identityKey(m[1]) || says(m[2]) {
				return m[0]
			}
			return "<" + m[1] + ">" + Hidden + "</"
		})
	}
	if strings.Contains(s, "://") {
		s = replaceSubmatches(reURL, s, func(m []string) string {
			if !private(m[2]) {
				return m[0]
			}
			return strings.TrimSuffix(m[0], m[2]) + Hidden
		})
	}
	// A backend of llama.cpp on another machine: "RPC[gpu-7:50052]".
	s = replaceSubmatches(reRPC, s, func(m []string) string {
		if open(m[2]) {
			return m[0]
		}
		return m[1] + Hidden + m[3]
	})
	s = reUUID.ReplaceAllString(s, Hidden)
	s = reMAC.ReplaceAllString(s, Hidden)
	s = replaceAt(reIPv4, s, func(before, m, after string) string {
		a, err := netip.ParseAddr(m)
		if err != nil || a.IsLoopback() || a.IsUnspecified() || strings.HasPrefix(m, "255.") || strings.HasPrefix(after, ".") && len(after) > 1 && after[1] >= '0' && after[1] <= '9' {
			return m
		}
		// No machine has an address in the network 0: "vLLM 0.9.0.2" is a version.
		if strings.HasPrefix(m, "0.") {
			return m
		}
		// "libcudnn 9.1.0.70" and "nvidia-cublas-cu12==12.4.5.8" are versions.
		if reVersion.MatchString(before[max(0, len(before)-24):]) {
			return m
		}
		return Hidden
	})
	s = replaceAt(reIPv6, s, func(before, m, after string) string {
		a, err := netip.ParseAddr(m)
		if err != nil || !a.Is6() || a.IsLoopback() || a.IsUnspecified() || strings.Count(m, ":") < 3 && !strings.HasSuffix(before, "[") {
			return m
		}
		return Hidden
	})
	if strings.ContainsRune(s, '@') {
		s = replaceSubmatches(reMail, s, func(m []string) string {
			dot := strings.LastIndexByte(m[2], '.')
			mail := dot > 0 && len(m[2])-dot > 2 && strings.Trim(strings.ToLower(m[2][dot+1:]), "abcdefghijklmnopqrstuvwxyz") == ""
			if m[1] == "git" || m[1] == Hidden || !mail && m[3] == "" {
				return m[0]
			}
			return Hidden + m[3]
		})
	}
	return s
}

// private reports whether the host of a URL is a name inside somebody's network.
func private(host string) bool {
	if host == "" || open(host) || host == Hidden || strings.HasSuffix(host, "@"+Hidden) {
		return false
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return !a.IsLoopback() && !a.IsUnspecified()
	}
	h := strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.Contains(h, ".") {
		// "{host}", "$HOST" and "<host>" stand for a name and are none.
		return strings.Trim(h, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
	}
	for _, end := range []string{".local", ".internal", ".lan", ".corp", ".intra", ".intranet", ".home", ".localdomain", ".svc", ".private", ".arpa", ".test"} {
		if strings.HasSuffix(h, end) {
			return true
		}
	}
	return strings.Contains(h, ".internal.") || strings.Contains(h, ".corp.") || strings.Contains(h, ".intra.")
}

func unquoted(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

func requoted(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[:1] + Hidden + s[:1]
	}
	return Hidden
}

// replaceSubmatches replaces each match of re by what f makes of its submatches.
func replaceSubmatches(re *regexp.Regexp, s string, f func(m []string) string) string {
	all := re.FindAllStringSubmatchIndex(s, -1)
	if all == nil {
		return s
	}
	var b strings.Builder
	end := 0
	for _, x := range all {
		m := make([]string, len(x)/2)
		for i := range m {
			if x[2*i] >= 0 {
				m[i] = s[x[2*i]:x[2*i+1]]
			}
		}
		b.WriteString(s[end:x[0]])
		b.WriteString(f(m))
		end = x[1]
	}
	b.WriteString(s[end:])
	return b.String()
}

// replaceValues finds names by re, whose first submatch is the name and second what parts it from
// its value, and redacts the values that hide says to. The value is found by hand, only for a
// name that matters, and only where it does not begin with the byte not: within
// "https://x?token=y" stand "https" and, in its value, "token".
func replaceValues(re *regexp.Regexp, s string, matters func(name string) bool, not byte, hide func(name, sep, value string) bool) string {
	var b strings.Builder
	done := 0 // s up to here is in b
	for at := 0; at < len(s); {
		x := re.FindStringSubmatchIndex(s[at:])
		if x == nil {
			break
		}
		begin := at + x[1]
		name, sep := s[at+x[2]:at+x[3]], s[at+x[4]:at+x[5]]
		at = begin
		if begin == len(s) || s[begin] == not || !matters(name) {
			continue
		}
		v := s[begin:valueEnd(s, begin)]
		if plain := unquoted(v); v == "" || says(plain) || !hide(name, sep, plain) {
			continue
		}
		b.WriteString(s[done:begin])
		b.WriteString(requoted(v))
		at = begin + len(v)
		done = at
	}
	b.WriteString(s[done:])
	return b.String()
}

// valueEnd is where the value that begins at i ends: behind the closing quote, else before what
// parts values. A quote that is not closed is a part of the value.
func valueEnd(s string, i int) int {
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		for j := i + 1; j < len(s); j++ {
			switch {
			case s[j] == s[i]:
				return j + 1
			case s[j] == '\\' && s[i] == '"':
				j++
			}
		}
		i++
	}
	if n := strings.IndexAny(s[i:], " \t\r\n\"',;&})]"); n >= 0 {
		return i + n
	}
	return len(s)
}

// replaceAt replaces each match of re by what f makes of it and what stands around it.
func replaceAt(re *regexp.Regexp, s string, f func(before, m, after string) string) string {
	all := re.FindAllStringIndex(s, -1)
	if all == nil {
		return s
	}
	var b strings.Builder
	end := 0
	for _, x := range all {
		b.WriteString(s[end:x[0]])
		b.WriteString(f(s[:x[0]], s[x[0]:x[1]], s[x[1]:]))
		end = x[1]
	}
	b.WriteString(s[end:])
	return b.String()
}

// Path takes user names out of a path.
func (r *Redactor) Path(p string) string {
	if strings.Contains(p, "ome/") || strings.Contains(p, "Users") {
		return reHome.ReplaceAllStringFunc(p, func(m string) string {
			g := reHome.FindStringSubmatch(m)
			if homes[g[2]] {
				return m
			}
			return g[1] + Hidden
		})
	}
	return p
}
