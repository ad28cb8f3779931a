package redact

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
)

// words splits a key at whatever is no letter and no digit and at changes of case, in lower case:
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
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			flush()
			continue
		case unicode.IsUpper(c) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, c)
	}
	flush()
	// The second of two equal keys may have a number: "HF_TOKEN_2", "Authorization (line 52)".
	if n := len(out); n > 1 && number(out[n-1]) {
		out = out[:n-1]
		if n > 2 && out[n-2] == "line" {
			out = out[:n-2]
		}
	}
	return out
}

// lists splits lists of keys, which are easier to read on one line: "api key" is the words api and key.
func lists(keys string) [][]string {
	var out [][]string
	for key := range strings.SplitSeq(keys, ",") {
		out = append(out, strings.Fields(key))
	}
	return out
}

// endsIn reports whether the words of a key end in those of one of the lists.
func endsIn(w []string, ends [][]string) bool {
	return slices.ContainsFunc(ends, func(end []string) bool {
		return len(w) >= len(end) && slices.Equal(w[len(w)-len(end):], end)
	})
}

// secretEnds are the words that the key of a secret ends in.
var secretEnds = lists(`api key, apikey, api keys, apikeys, auth, authorization, token, secret, secrets, password,
	passwords, passwd, passphrase, passcode, credential, credentials, creds, private key, privatekey, access key,
	accesskey, secret key, secretkey, access key id, account key, accountkey, storage key, subscription key,
	shared key, session key, master key, auth key, service key, ssl key, tls key, ssh key, gpg key, rsa key,
	signing key, encryption key, decryption key, license key, licence key, deploy key, wandb key, hf key, openai key,
	anthropic key, cookie, cookies, set cookie, authtoken, accesstoken, apitoken, hftoken, bearer, jwt, otp, totp,
	pem, pat, sas, dsn, connection string, connectionstring, conn string, conn str, connstr, amz signature,
	goog signature, shared access signature, sharedaccesssignature, webhook, webhook url, db pass, database pass,
	user pass, ssh pass, sshpass, redis pass, smtp pass, mysql pass, postgres pass, pg pass, root pass, admin pass,
	login pass, key pass, store pass, wifi pass, userpass, ldap pass, bind pass, http pass, mail pass, comet key,
	endpoint key, access code, csrf, xsrf, oauth, oauth2, kubeconfig, kube config, dockerconfigjson, dockercfg, sa json,
	service account json, credentials json, netrc`)

// secretSuffixes are what the last word of such a key may end in where it is written as one word:
// "PGPASSWORD".
var secretSuffixes = []string{"password", "passwd", "passphrase", "apikey", "secretkey", "privatekey"}

// plainTokens are words before "token" that make it a token of text and no secret: "eos_token",
// "time_per_output_token".
var plainTokens = []string{
	"bos", "eos", "pad", "unk", "sep", "cls", "mask", "image", "video", "audio", "stop", "special", "think",
	"reasoning", "first", "second", "next", "last", "per", "output", "input", "each", "new", "prompt", "inter", "a",
	"adapter", "draft", "speculative",
}

// secretKey reports whether the text of a key is a secret.
func secretKey(key string) bool {
	// Of a URL that was parted at its "=" the last parameter counts: "https://x/a?token".
	w := words(key[strings.LastIndexAny(key, "?&")+1:])
	if len(w) == 0 {
		return false
	}
	last := w[len(w)-1]
	if last == "token" && len(w) > 1 && slices.Contains(plainTokens, w[len(w)-2]) {
		return false
	}
	if (last == "pwd" || last == "pw") && len(w) > 1 { // MYSQL_PWD, but PWD is a directory: see [hides]
		return true
	}
	return endsIn(w, secretEnds) || slices.ContainsFunc(secretSuffixes,
		func(end string) bool { return strings.HasSuffix(last, end) })
}

// hides reports whether s, the text of a key, is a secret.
func hides(key, s string) bool { return secretKey(key) || password(key, s) }

// verdicts are texts of "pass" that are no password: what came of a test, and which pass of several it was.
var verdicts = []string{
	"ok", "yes", "no", "pass", "passed", "fail", "failed", "skip", "skipped", "first", "second", "forward",
	"backward", "prefill", "decode",
}

// passKey reports whether only the text of a key says whether it is a secret: "pwd" and "pass" alone.
func passKey(key string) bool { return strings.EqualFold(key, "pwd") || strings.EqualFold(key, "pass") }

// password reports whether s is the text of "pwd" alone, unless it is the directory that shells name so, or of "pass",
// unless it counts or judges.
func password(key, s string) bool {
	if strings.EqualFold(key, "pass") {
		return !number(s) && !slices.Contains(verdicts, strings.ToLower(s))
	}
	return passKey(key) && !strings.ContainsAny(s, `/\~`)
}

// identityEnds are the words that a key ends in whose text names one machine or one person.
var identityEnds = lists(`uuid, serial, serial number, serialnumber, unique id, hostname, host name, nodename,
	node name, mac, mac address, ip, ip address, ipaddr, machine id, system id, addr, address, addresses, master host,
	server host, remote host, target host, client host, ssh host, db host, api host, head host, login host,
	proxy host, hosts, hostlist, host list, nodelist, node list, server name, servername, kube node, pod name,
	podname, pod ip, node ip, host ip, vm name, instance id, container id, container name, service tag, servicetag,
	asset tag, assettag, username, user name, user id, logname, login name, job user, sudo user, ssh user,
	remote user, job account, email, mail user`)

// identityKey reports whether the text of a key names a machine or a person.
func identityKey(key string) bool {
	// Of a setting within others, "endpoint.host", the last name counts.
	switch strings.ToLower(lastName(key)) {
	case "user", "host", "node":
		return true
	}
	return endsIn(words(key), identityEnds)
}

// lastName is the name of a setting within others: "host" of "endpoint.host".
func lastName(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// contentEnds are the words that a key ends in which holds what was sent or generated, or where a
// program failed: none of it ever enters the catalog.
var contentEnds = lists(`prompt, prompts, messages, completion text, output text, output texts, input text,
	input texts, response text, response texts, sample text, sample texts, generated text, generated texts,
	prompt text, prompt texts, sample output, sample outputs, sample response, sample responses, sample input,
	sample inputs, sample completion, generated output, generated outputs, model output, model outputs, raw response,
	raw responses, reasoning content, chat history, conversation, conversations, transcript, traceback, raw output,
	stdout, stderr`)

// contentKey reports whether the text of a key is a prompt, what was generated, or a traceback.
// "limit_mm_per_prompt" counts pictures.
func contentKey(key string) bool {
	w := words(lastName(key))
	if n := len(w); n > 1 && (w[n-2] == "per" || w[n-2] == "num") {
		return false
	}
	return endsIn(w, contentEnds)
}

// shortPrompt reports whether a key is a short flag of llama.cpp or MLX that a prompt may stand behind.
func shortPrompt(key string) bool {
	name := strings.Trim(lastName(key), `-,:"'`)
	return name == "p" || name == "sys"
}

// shortPrompted reports whether s, the text of a key, is such a prompt: "-p 512" is a length.
func shortPrompted(key, s string) bool {
	return shortPrompt(key) && strings.Contains(strings.TrimSpace(s), " ") && strings.ContainsFunc(s, unicode.IsLetter)
}

// proseEnds are the last words of keys under which a raw record may hold a text that was sent or
// generated, but also the name of a file or a number: it is content only where it reads as prose.
var proseEnds = lists(`output, outputs, response, responses, completion, completions, content, contents, text, texts,
	input, inputs, question, questions, answer, answers, message, generation, generations, reply, replies, query`)

// proseKey reports whether the text of a key may be something that was sent or generated.
func proseKey(key string) bool { return endsIn(words(lastName(key)), proseEnds) }

// prose reports whether a text reads as something that was sent or generated.
func prose(s string) bool {
	const fewest = 5 // words that make prose
	return len(strings.Fields(s)) >= fewest
}

// envEnds are the words that a key ends in whose texts are variables with their values: "HF_TOKEN=x".
var envEnds = lists(`e, env, envs, environment, env vars, env var, environment variables`)

// keyKind is a key, and what its texts may be.
type keyKind struct {
	name  string
	shown string // the key as it is published
	// The texts of a plain key are none of the others, whatever it is called.
	secret, identity, content, prose, plain bool
	valued                                  bool // the texts may be those of a name beside it
	env                                     bool // the texts are variables with their values
}

// kind is that of a key. Records have the same keys thousands of times.
func (r *Redactor) kind(key string) keyKind {
	k, known := r.kinds[key]
	if known {
		return k
	}
	k = keyKind{name: key, shown: r.keyText(key), valued: valueKey(key), env: endsIn(words(key), envEnds),
		secret: secretKey(key), identity: identityKey(key), content: contentKey(key), prose: proseKey(key)}
	k.plain = !(k.secret || k.identity || k.content || k.prose || k.env || passKey(key) || shortPrompt(key) ||
		strings.ContainsAny(key, partedMarks))
	switch {
	case len(key) > 256:
		return k
	case r.kinds == nil:
		r.kinds = map[string]keyKind{}
	case len(r.kinds) == 1<<14:
		clear(r.kinds)
	}
	r.kinds[key] = k
	return k
}

// partedMarks are what the key of a line has that was parted at its first colon.
const partedMarks = ` "'{` + "`"

// guarded reports whether s, the text of a key, never enters the catalog: a secret, a name of a machine or a
// person, a text that was sent or generated.
func guarded(key, s string) bool {
	return hides(key, s) || identityKey(key) && !open(strings.TrimSpace(s)) || contentKey(key) ||
		proseKey(key) && prose(s) || shortPrompted(key, s)
}

// says reports whether a text says no more than a number, a boolean or null does.
func says(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "null", "none", "true", "false", "n/a", "na", "nan", "inf", "unknown", "not specified",
		"[not supported]", Hidden:
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
