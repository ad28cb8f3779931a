package redact_test

import (
	"encoding/json"
	"fmt"

	"github.com/inferdex/inferdex/ingest/redact"
)

// What must not leave the building is taken out of texts and of the values of keys.
func ExampleRedactor() {
	var r redact.Redactor
	fmt.Println(r.Text("vllm serve org/m --port 8000 --api-key abcdef0123456789"))
	fmt.Printf("%s\n", r.JSON("env", json.RawMessage(`{"HF_TOKEN":"x1","TP":4}`)))
	fmt.Println(r.Path("/home/ada/results/a.json"))
	// Output:
	// vllm serve org/m --port 8000 --api-key redacted
	// {"HF_TOKEN":"redacted","TP":4}
	// results/a.json
}
