package redact

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
)

// words splits a key at "_", "-", ".", white space and changes of case, in lower case:
// "hfApi-key" is hf, api, key.
func words(key string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(key)
	for i, c := range runes {
		switch {
		case c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || unicode.IsSpace(c):
			flush()
			continue
		case unicode.IsUpper(c) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, c)
	}
	flush()
	return out
}

// secretEnds are the words a key of a secret ends in.
var secretEnds = [][]string{
	{"api", "key"}, {"apikey"}, {"api", "keys"}, {"auth"}, {"authorization"}, {"token"}, {"secret"}, {"secrets"},
	{"password"}, {"passwords"}, {"passwd"}, {"passphrase"}, {"credential"}, {"credentials"},
	{"private", "key"}, {"privatekey"}, {"access", "key"}, {"secret", "key"}, {"cookie"},
	{"authtoken"}, {"accesstoken"}, {"apitoken"}, {"hftoken"}, {"amz", "signature"}, {"goog", "signature"},
}

// secretSuffixes are what the last word of such a key may end in where it is written as one word:
// "PGPASSWORD".
var secretSuffixes = []string{"password", "passwd", "passphrase", "apikey"}

// plainTokens are words before "token" that make it a token of text and no secret: "eos_token",
// "time_per_output_token".
var plainTokens = map[string]bool{
	"bos": true, "eos": true, "pad": true, "unk": true, "sep": true, "cls": true, "mask": true, "image": true, "video": true,
	"audio": true, "stop": true, "special": true, "think": true, "reasoning": true, "first": true, "second": true, "next": true,
	"last": true, "per": true, "output": true, "input": true, "each": true, "new": true, "prompt": true, "inter": true, "a": true, "adapter": true, "draft": true, "speculative": true,
}

// secretKey reports whether the text of a key is a secret.
func secretKey(key string) bool {
	w := words(key)
	for _, end := range secretEnds {
		if len(w) < len(end) || !slices.Equal(w[len(w)-len(end):], end) {
			continue
		}
		if end[0] == "token" && len(w) > 1 && plainTokens[w[len(w)-2]] {
			continue
		}
		return true
	}
	if len(w) == 0 {
		return false
	}
	last := w[len(w)-1]
	if last == "pwd" && len(w) > 1 { // MYSQL_PWD, but PWD is a directory
		return true
	}
	return slices.ContainsFunc(secretSuffixes, func(end string) bool { return strings.HasSuffix(last, end) })
}

// identityEnds are the words that a key ends in whose text names one machine or one person.
var identityEnds = [][]string{
	{"uuid"}, {"serial"}, {"serial", "number"}, {"serialnumber"}, {"unique", "id"}, {"hostname"}, {"host", "name"}, {"nodename"}, {"node", "name"},
	{"mac"}, {"mac", "address"}, {"ip"}, {"ip", "address"}, {"ipaddr"}, {"machine", "id"}, {"system", "id"},
	{"addr"}, {"address"}, {"master", "host"}, {"server", "host"}, {"remote", "host"}, {"target", "host"}, {"client", "host"}, {"username"}, {"user", "name"}, {"user", "id"}, {"email"},
}

// identityKey reports whether the text of a key names a machine or a person.
func identityKey(key string) bool {
	w := words(key)
	// Of a setting within others, "endpoint.host", the last name counts.
	switch strings.ToLower(key[strings.LastIndexByte(key, '.')+1:]) {
	case "user", "host", "node":
		return true
	}
	for _, end := range identityEnds {
		if len(w) >= len(end) && slices.Equal(w[len(w)-len(end):], end) {
			return true
		}
	}
	return false
}

// contentKey reports whether the text of a key is a prompt or what was generated.
func contentKey(key string) bool {
	return contentKeys[strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])]
}

// contentKeys hold prompts, generated texts and tracebacks, which never enter the catalog.
var contentKeys = map[string]bool{
	"prompt": true, "prompts": true, "generated_text": true, "generated_texts": true, "messages": true, "completion_text": true,
	"system_prompt": true, "user_prompt": true, "prompt_text": true, "output_text": true, "input_text": true, "response_text": true, "traceback": true, "raw_output": true, "stdout": true, "stderr": true,
}

// proseKeys are keys under which a raw record may hold a text that was sent or generated, but
// also the name of a file or a number: it is content only where it reads as prose.
var proseKeys = map[string]bool{
	"output": true, "response": true, "completion": true, "content": true, "text": true, "input": true, "question": true, "answer": true,
}

// prose reports whether s, the text of a key, reads as something that was sent or generated.
func prose(key, s string) bool {
	const words = 5 // that make prose
	return proseKeys[strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])] && len(strings.Fields(s)) >= words
}

// says reports whether a text says no more than a number, a boolean or null does.
func says(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "null", "none", "true", "false", "n/a", "na", "nan", "inf", "unknown", "not specified", "[not supported]", Hidden:
		return true
	}
	return false
}

// open reports whether an address belongs to no machine in particular.
func open(host string) bool {
	switch strings.ToLower(host) {
	case "localhost", "*", "::", "::1", "[::]", "[::1]":
		return true
	}
	if p, err := netip.ParseAddrPort(host); err == nil {
		return p.Addr().IsLoopback() || p.Addr().IsUnspecified()
	}
	if name, port, ok := strings.Cut(host, ":"); ok && name == "localhost" && number(port) {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && (a.IsLoopback() || a.IsUnspecified())
}
