// Renders a Helm chart with what Helm is made of: Go's text/template, sprig, and the YAML library of Kubernetes.
//
//	go run render-chart.go CHART_FOLDER < context.json
//
// The context is what Helm gives to templates: Values (merged), Release, Chart. Each file's text is printed after a line
// `--- # file`. It knows of Helm what our chart uses: include, toYaml, required; no lookup, no files, no sub-charts.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	var context map[string]interface{}
	check(json.NewDecoder(os.Stdin).Decode(&context))
	chart := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// Helm leaves these out, so that a chart reads nothing of its operator's machine.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := chart.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["required"] = func(words string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, fmt.Errorf("%s", words)
		}
		return value, nil
	}
	chart.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = chart.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		check(chart.ExecuteTemplate(&text, name, context))
		// Helm does so as well: what a missing value leaves.
		fmt.Printf("--- # %s\n%s\n", name, strings.ReplaceAll(text.String(), "<no value>", ""))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
