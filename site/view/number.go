package view

import "strconv"

// itoa is a whole number in digits.
func itoa[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }
