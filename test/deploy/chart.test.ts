import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readConfig } from '../../src/app/config.ts';
import { CHART, lacksRenderer, type Manifest, mergedValues, renderChart, type Values } from './render-chart.ts';
import { has, outputOf } from './tool.ts';

/** The seconds for the first run of the Go compiler. */
const TIMEOUT = { timeout: 180_000 };

const LEAST: Values = { existingSecret: 'laurel' };

/** Values that reach every branch of every template. */
const MOST: Values = {
  ...LEAST,
  image: { repository: 'registry.example.com/laurel', digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  migrationSecret: 'laurel-owner',
  settings: { LAUREL_LOG_LEVEL: 'warn', LAUREL_TLS_CERT_FILE: '/tls/tls.crt', LAUREL_TLS_KEY_FILE: '/tls/tls.key' },
  drainDelayMs: 60_000,
  processes: 4,
  service: { type: 'LoadBalancer', port: 443, annotations: { a: 'b' } },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: { matchLabels: { team: 'shop' } } }] },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, tokenKey: 'LAUREL_METRICS_TOKEN' },
  podAnnotations: { a: 'b' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'laurel', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

const WORLDS = [
  ['the least values', LEAST],
  ['every value set', MOST],
] as const;

/** Kinds of Kubernetes itself, and the packages of their types; a ServiceMonitor belongs to the Prometheus operator. */
const KINDS = {
  Deployment: { model: Deployment, path: 'apps/v1' },
  Job: { model: Job, path: 'batch/v1' },
  NetworkPolicy: { model: NetworkPolicy, path: 'networking.k8s.io/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget, path: 'policy/v1' },
  Service: { model: Service, path: 'v1' },
} as const;

const isKnown = (kind: string): kind is keyof typeof KINDS => kind in KINDS;

const scratch = join(import.meta.dirname, '../../.laurel/chart');
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function valuesFaults(values: Values) {
  const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as object;
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  isValid(await mergedValues(values));
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('the schema of values takes what the chart says, and refuses a secret left out, a misspelt value and a setting given twice', async () => {
  expect(await valuesFaults(LEAST)).toEqual([]);
  expect(await valuesFaults(MOST)).toEqual([]);
  expect(await valuesFaults({})).toEqual([expect.stringContaining('/existingSecret')]);
  expect(await valuesFaults({ ...LEAST, replica: 3 })).toEqual([expect.stringContaining('additional properties')]);
  expect(await valuesFaults({ ...LEAST, settings: { LAUREL_DRAIN_DELAY_MS: '1' } })).not.toEqual([]);
});

describe.skipIf(lacksRenderer)(`the rendered chart (skipped where it cannot be rendered: ${lacksRenderer})`, () => {
  test.each(WORLDS)('with %s every manifest is what Kubernetes takes, field for field', TIMEOUT, async (_, values) => {
    const { manifests } = await renderChart(values);
    expect(manifests.length).toBeGreaterThanOrEqual(4);
    for (const manifest of manifests) {
      if (isKnown(manifest.kind)) new KINDS[manifest.kind].model(manifest).validate();
      else expect(manifest).toMatchObject({ apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor' });
    }
    await expectNoUnknownField(manifests.filter(({ kind }) => isKnown(kind)));
  });

  test.skipIf(!has('yamllint')).each(WORLDS)(
    'with %s the manifests pass yamllint (skipped without it)',
    TIMEOUT,
    async (_, values) => {
      const { manifests } = await renderChart(values);
      await mkdir(scratch, { recursive: true });
      const file = join(scratch, 'manifests.yaml');
      await writeFile(file, manifests.map((manifest) => `---\n${stringify(manifest)}`).join(''));
      expect(await outputOf('yamllint', '-d', '{extends: relaxed, rules: {line-length: disable}}', file)).toBe('');
    },
  );

  test.each(WORLDS)(
    'with %s the service takes its settings, and has the time to drain before it is killed',
    TIMEOUT,
    async (_, values) => {
      const { spec } = podOf((await renderChart(values)).manifests, 'Deployment');
      const env = Object.fromEntries(spec.containers[0].env.map(({ name, value }) => [name, value]));
      const secret = { DATABASE_URL: 'postgres://db/laurel', LAUREL_SECRET_KEYS: 'x', NODE_ENV: 'production' };
      const config = readConfig({ ...secret, ...env });
      expect(config.unknownSettings).toEqual([]);
      // The seconds of the end in docs/failover.md, with a margin.
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Math.max(10, config.drainDelayMs / 1_000 + 6));
      const { periodSeconds, failureThreshold } = spec.containers[0].readinessProbe;
      expect(config.drainDelayMs).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
    },
  );

  test(
    'no pod has rights, or writes anywhere but below /tmp; both get the secret and none the links of services',
    TIMEOUT,
    async () => {
      const { manifests } = await renderChart(LEAST);
      for (const kind of ['Deployment', 'Job']) {
        const { spec } = podOf(manifests, kind);
        expect(spec).toMatchObject({
          enableServiceLinks: false,
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        });
        expect(spec.containers).toMatchObject([
          {
            securityContext: {
              readOnlyRootFilesystem: true,
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
            },
            volumeMounts: [{ mountPath: '/tmp' }],
            envFrom: [{ secretRef: { name: 'laurel' } }],
          },
        ]);
      }
    },
  );

  test('the budget and the service mean the pods that serve, and not those that migrate', TIMEOUT, async () => {
    const { manifests } = await renderChart(LEAST);
    const labels = (kind: string) => podOf(manifests, kind).metadata.labels;
    const selector = manifests.find(({ kind }) => kind === 'Service')!['spec'] as { selector: Record<string, string> };
    const budget = manifests.find(({ kind }) => kind === 'PodDisruptionBudget')!['spec'] as {
      selector: { matchLabels: Record<string, string> };
    };
    expect(budget.selector.matchLabels).toEqual(selector.selector);
    expect(labels('Deployment')).toMatchObject(selector.selector);
    expect(labels('Job')).not.toMatchObject(selector.selector);
  });
});

type Pod = {
  readonly metadata: { readonly labels: Record<string, string> };
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly containers: readonly [
      {
        readonly env: readonly { name: string; value: string }[];
        readonly readinessProbe: { readonly periodSeconds: number; readonly failureThreshold: number };
      },
    ];
  };
};

function podOf(manifests: readonly Manifest[], kind: string): Pod {
  const found = manifests.find((manifest) => manifest.kind === kind);
  return (found!['spec'] as { template: Pod }).template;
}

/** The compiler refuses a field that a type does not have, which Kubernetes' schemas accept. */
async function expectNoUnknownField(manifests: readonly Manifest[]): Promise<void> {
  await mkdir(scratch, { recursive: true });
  const lines = manifests.map((manifest, index) => {
    const { path } = KINDS[manifest.kind as keyof typeof KINDS];
    const type = `import('kubernetes-models/${path}').I${manifest.kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};\n`;
  });
  const file = join(scratch, 'manifests.ts');
  await writeFile(file, lines.join(''));
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  const options = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
  expect(await outputOf(tsc, ...options, file)).toBe('');
}
