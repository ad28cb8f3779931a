package compare

// Sentences are what a comparison made elsewhere says, by what it is about. Words in braces are
// filled in there: {a} and {b} are names of runs, {w} and {o} titles of workloads, {d} what differs or
// is not recorded, {at} a load as a phrase, {q} a quantity, {x} and {z} values.
var Sentences = map[string]string{
	"nothing":   "{a} has no measured points, only what is known of the whole run.",
	"alone":     "{a}: none of the other runs has measured points.",
	"nearest":   "{a} shares no workload with the others. The nearest are its {w} and {o} of {b}, which differ in {d}. ",
	"counts":    "Throughput is that of all accelerators together: {d}.",
	"divisions": "T" + divisionsDiffer[1:] + ", {d}" + divisionsWhy + ".",
	"lengths":   "{w}: " + lengthsApart + " ({x} tokens for {a}, {z} for {b})" + lengthsWhy + ".",
	"assumed":   "{w}: not recorded by any of them, and so only assumed to be equal: {d}.",
	"unshared": "No two of these runs share a workload and a load of it, so none of their numbers stand side by " +
		"side.",
	"lonely": "No other run of this catalog shares a workload with it; another one can still be chosen for its " +
		"parameters.",
	"side": "Workload {w}, {at}. Below each number its difference to {a}; bold is best. Numbers lead to their rows, " +
		"where file and line stand. {d}",
	"lack":  " {d} did not measure this workload.",
	"best":  "{q} is {most} with {a}, {at}: {x} against {z} {unit}",
	"worst": " with {b}",
	"tie":   "{q}, {at}: {a} and {b} are not distinguishable",
	"equal": "{q}, {at}: equal",
	"first": "{q}, {at}: {a} and others are equal",
	"user":  "One user gets up to {d}",
	"speeds": "{q} against speed per user ({d}). Up and to the right is better; numbers are loads, grey marks are " +
		"beaten by another load of their run.",
	"bars":      " Bars: quartiles, or the interval of repeated measurements.",
	"hollow":    " Hollow marks: KV cache at 95\u202f% or more.",
	"arguments": "No launch arguments are recorded of {d}, so they cannot be compared there.",
	"alike":     "No launch argument has another effective value.",
	"same":      "Nothing that is recorded of two of them differs.",
	"not": "Where one lacks it, the nearest that it has and what differs, the value of the workload first. Only " +
		"equal workloads share an axis. ",
}
