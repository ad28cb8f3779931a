package record

// Unmarshal takes no text: a browser reads results and no catalog, and loads no reader of one. encoding/json is asked.
func Unmarshal([]byte, any) bool { return false }
