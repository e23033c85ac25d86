import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';

export const CHART = join(import.meta.dirname, '../../deploy/helm/laurel');

/** Debian's folder for Go packages. */
const GO_PACKAGES = '/usr/share/gocode';

/** The missing tools for a chart on this machine; undefined if none is missing. */
export const lacksRenderer = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'].every((name) =>
  existsSync(join(GO_PACKAGES, 'src', name)),
)
  ? undefined
  : 'needs Go with sprig: apt install golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev';

export type Values = Record<string, unknown>;

/** The parts of a Kubernetes manifest that tests read. */
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string };
} & Record<string, unknown>;

export type Rendered = { readonly manifests: readonly Manifest[]; readonly files: ReadonlyMap<string, string> };

/** The chart's default values under `values`, merged like in Helm. */
export async function mergedValues(values: Values): Promise<Values> {
  return merged(parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as Values, values);
}

function merged(below: Values, above: Values): Values {
  const both = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const under = both[name];
    both[name] = isMap(under) && isMap(value) ? merged(under, value) : value;
  }
  return both;
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Renders the chart; see render-chart.go for the method. */
export async function renderChart(values: Values, release = 'laurel'): Promise<Rendered> {
  const chart = parse(await readFile(join(CHART, 'Chart.yaml'), 'utf8')) as Values;
  const context = {
    Values: await mergedValues(values),
    Release: { Name: release, Namespace: 'games', Service: 'Helm' },
    Chart: { Name: chart['name'], Version: chart['version'], AppVersion: chart['appVersion'] },
  };
  const running = promisify(execFile)('go', ['run', join(import.meta.dirname, 'render-chart.go'), CHART], {
    env: { ...process.env, GO111MODULE: 'off', GOPATH: GO_PACKAGES, GOFLAGS: '' },
  });
  running.child.stdin?.end(JSON.stringify(context));
  const { stdout } = await running;
  const files = new Map(
    stdout
      .split(/^--- # /m)
      .slice(1)
      .map((text) => {
        const end = text.indexOf('\n');
        return [text.slice(0, end), text.slice(end + 1)];
      }),
  );
  const manifests = [...files]
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([name, text]) =>
      parseAllDocuments(text).map((document) => {
        if (document.errors.length > 0) throw new Error(`${name}: ${document.errors.join('; ')}\n${text}`);
        return document.toJS() as Manifest | null;
      }),
    )
    .filter((manifest) => manifest !== null);
  return { manifests, files };
}
