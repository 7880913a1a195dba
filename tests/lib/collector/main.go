// SPDX-License-Identifier: GPL-2.0-only
// An OpenTelemetry Collector, of the parts that Debian has as a library: it receives by OTLP, and
// an exporter of its own appends what it has received to a file, a line of JSON for each request,
// as the Collector's own marshaler writes it.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/xexporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

type config struct {
	Path string `mapstructure:"path"`
}

func (c *config) Validate() error {
	if c.Path == "" {
		return errors.New("path is required")
	}
	return nil
}

type lines struct {
	component.StartFunc
	component.ShutdownFunc
	path string
	lock sync.Mutex
}

func (*lines) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (l *lines) ConsumeProfiles(_ context.Context, profiles pprofile.Profiles) error {
	text, err := (&pprofile.JSONMarshaler{}).MarshalProfiles(profiles)
	if err != nil {
		return err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	file, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Close())
}

func factories() (otelcol.Factories, error) {
	toFile := xexporter.NewFactory(component.MustNewType("lines"),
		func() component.Config { return &config{} },
		xexporter.WithProfiles(func(_ context.Context, _ exporter.Settings, c component.Config) (xexporter.Profiles, error) {
			return &lines{path: c.(*config).Path}, nil
		}, component.StabilityLevelDevelopment))
	receivers, err := otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory())
	if err != nil {
		return otelcol.Factories{}, err
	}
	exporters, err := otelcol.MakeFactoryMap[exporter.Factory](toFile)
	return otelcol.Factories{
		Receivers: receivers,
		Exporters: exporters,
		Telemetry: otelconftelemetry.NewFactory(),
	}, err
}

func main() {
	command := otelcol.NewCommand(otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "collector", Description: "for tests"},
		Factories: factories,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			DefaultScheme:     "file",
			ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
		}},
	})
	if err := command.Execute(); err != nil {
		log.Fatal(err)
	}
}
