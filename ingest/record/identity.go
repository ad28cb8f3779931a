package record

import (
	"crypto/sha256"
	"encoding/base32"
	"strconv"
)

// Identity is what makes a run the same run wherever its files are found again. It holds only
// what the records themselves state and nobody can change afterwards.
type Identity struct {
	// Tool is the family of the tool that measured: "benchmark_llm_serving", "vllm-bench-serve",
	// "bench-and-report". Formats that read other shapes of one tool's results agree on it.
	Tool string `json:"tool"`
	// Session is the session's own name where the tool writes one (happy_vllm's suite_id, the
	// date of a report). A record may lack it; of a run, the date of its earliest record or the
	// digest of its first stands for it.
	Session string `json:"session,omitempty"`
	// Model is the model as written.
	Model string `json:"model"`
}

// IDLength is how many characters of the digest an id has: 60 bits, so that two of a million
// runs share an id with a probability of one in two million.
const IDLength = 12

// digits are lower-case base32, RFC 4648: an id is the same in a file system that ignores case.
var digits = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ID is the first [IDLength] characters of the lower-case base32 of the identity's SHA-256. It
// depends on nothing but the three texts.
func (i Identity) ID() string {
	text := strconv.Quote(i.Tool) + " " + strconv.Quote(i.Session) + " " + strconv.Quote(i.Model)
	return Digest([]byte(text))[:IDLength]
}

// Digest is the SHA-256 of data in lower-case base32, the alphabet of ids.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return digits.EncodeToString(sum[:])
}
