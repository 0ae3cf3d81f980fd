// Reads documents with a YAML library for Go and says what they are: read READER CASES.
//
// Input and output are described in ../src/readers/notation.rs.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"

	goccy "github.com/goccy/go-yaml"
	v2 "go.yaml.in/yaml/v2"
	v3 "go.yaml.in/yaml/v3"
	v4 "go.yaml.in/yaml/v4"
)

type decoder interface{ Decode(any) error }

type reader struct {
	module    string
	unmarshal func([]byte, any) error
	decoder   func(io.Reader) decoder
}

var readers = map[string]reader{
	"v2": {
		"go.yaml.in/yaml/v2",
		func(text []byte, out any) error { return v2.Unmarshal(text, out) },
		func(text io.Reader) decoder { return v2.NewDecoder(text) },
	},
	"v3": {
		"go.yaml.in/yaml/v3",
		func(text []byte, out any) error { return v3.Unmarshal(text, out) },
		func(text io.Reader) decoder { return v3.NewDecoder(text) },
	},
	"v4": {
		"go.yaml.in/yaml/v4",
		func(text []byte, out any) error { return v4.Unmarshal(text, out) },
		func(text io.Reader) decoder { return v4.NewDecoder(text) },
	},
	"goccy": {
		"github.com/goccy/go-yaml",
		func(text []byte, out any) error { return goccy.Unmarshal(text, out) },
		func(text io.Reader) decoder { return goccy.NewDecoder(text) },
	},
}

func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return module + " " + dependency.Version
			}
		}
	}
	return module + " ?"
}

func quoted(text string) string {
	out := []byte{'"'}
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
			out = append(out, byte(c))
		default:
			out = append(out, '%')
			out = strconv.AppendInt(out, int64(c), 16)
			out = append(out, ';')
		}
	}
	return string(out)
}

func shown(value any) string {
	if value == nil {
		return "null"
	}
	found := reflect.ValueOf(value)
	switch found.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(found.Bool())
	case reflect.Int, reflect.Int64:
		return fmt.Sprintf("i%d", found.Int())
	case reflect.Uint, reflect.Uint64:
		return fmt.Sprintf("i%d", found.Uint())
	case reflect.Float64:
		if math.IsNaN(found.Float()) {
			return "nan"
		}
		return fmt.Sprintf("f%016x", math.Float64bits(found.Float()))
	case reflect.String:
		return quoted(found.String())
	case reflect.Slice:
		parts := []string{}
		for i := range found.Len() {
			parts = append(parts, shown(found.Index(i).Interface()))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case reflect.Map:
		parts := []string{}
		for entries := found.MapRange(); entries.Next(); {
			key, value := entries.Key().Interface(), entries.Value().Interface()
			parts = append(parts, shown(key)+":"+shown(value))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "?" + found.Type().String() + quoted(fmt.Sprint(value))
}

func load(r reader, count int, text []byte) (values []any, err error) {
	defer func() {
		if found := recover(); found != nil {
			err = fmt.Errorf("panic: %v", found)
		}
	}()
	if count == 1 {
		var value any
		err = r.unmarshal(text, &value)
		return []any{value}, err
	}
	decoder := r.decoder(bytes.NewReader(text))
	for {
		var value any
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return values, nil
		} else if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
}

func read(r reader, count int, text []byte) string {
	values, err := load(r, count, text)
	if err != nil {
		return "error " + strconv.QuoteToASCII(err.Error())
	}
	parts := []string{}
	for _, value := range values {
		parts = append(parts, shown(value))
	}
	return strings.Join(parts, ";")
}

func main() {
	r := readers[os.Args[1]]
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, version(r.module))
	cases, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	for len(cases) > 0 {
		var count, length int
		header, rest, _ := bytes.Cut(cases, []byte{'\n'})
		if _, err := fmt.Sscan(string(header), &count, &length); err != nil {
			panic(err)
		}
		fmt.Fprintln(out, read(r, count, rest[:length]))
		cases = rest[length:]
	}
}
