package settings

import (
	"cmp"
	"strings"
)

// Tool is a program that measures.
type Tool struct {
	// ID is the family as records name it, Name what readers call it.
	ID, Name string
	// Command measures again, with [ModelPlace] for the model; "" where it is not known. Flags says
	// that it takes workload and load as flags of vLLM's serving benchmark; else it chooses both itself.
	Command string
	Flags   bool
	// Wrapper is the id of the wrapper whose settings its records hold beside the engine's; "" for most.
	Wrapper string
}

// Wrapper stands around an engine and has launch arguments of its own.
type Wrapper struct {
	ID, Name string
	// Engine is the id of the engine that it stands around.
	Engine string
	// Command starts it, with [ModelPlace] for the model.
	Command string
}

// ModelPlace stands for the name of the model in a command.
const ModelPlace = "{model}"

func (n *Names) readTools(tables []namesTable) {
	seen := map[string]int{}
	for _, t := range tables {
		id := t.id(seen)
		tool := n.Tool(id)
		tool.Name = cmp.Or(t.text("name"), tool.Name)
		tool.Command, tool.Wrapper = cmp.Or(t.text("command"), tool.Command), cmp.Or(t.text("wrapper"), tool.Wrapper)
		if v, ok := t.get("flags"); ok {
			if tool.Flags, ok = v.(bool); !ok {
				t.wrong("flags", v, "true or false")
			}
		}
		t.close()
		if id != "" {
			n.tools[id] = tool
		}
	}
}

// Tool is a tool by its family; one that is not listed is called by that.
func (n *Names) Tool(family string) Tool {
	if n != nil {
		if t, ok := n.tools[family]; ok {
			return t
		}
	}
	return Tool{ID: family, Name: family}
}

// Wrapper is the listed wrapper that a source names with its version: "happy_vllm 1.2.4".
func (n *Names) Wrapper(written string) (w Wrapper, ok bool) {
	name, _, _ := strings.Cut(written, " ")
	if n == nil || name == "" {
		return w, false
	}
	w, ok = n.wrappers[name]
	return w, ok
}
