module ketch/readers

go 1.23.0

require (
	github.com/goccy/go-yaml v1.19.2
	go.yaml.in/yaml/v2 v2.4.5
	go.yaml.in/yaml/v3 v3.0.6
	go.yaml.in/yaml/v4 v4.0.0
)
