import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { needs } from './support/needs.ts';

const run = promisify(execFile);

const KUBERNETES = 'deploy/kubernetes';

/** kubectl has kustomize built in, which needs no cluster. */
const hasKustomize = (): boolean => spawnSync('kubectl', ['kustomize', `${KUBERNETES}/gateway`]).status === 0;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-kustomize-'));
  await cp(KUBERNETES, folder, { recursive: true });
});

afterAll(() => rm(folder, { recursive: true }));

type Manifests = Readonly<Record<string, { readonly metadata: object; readonly spec: Record<string, unknown> }>>;

/** The manifests that `kubectl apply -k` sends, by kind and name. */
async function render(name: string): Promise<Manifests> {
  const { stdout } = await run('kubectl', ['kustomize', join(folder, name)]);
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS());
  return Object.fromEntries(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));
}

/** Removes the sign in front of the lines that name the options. */
async function addOptions(name: string): Promise<void> {
  const path = join(folder, name, 'kustomization.yaml');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll(/^# (?=components:| {2}- \.\.\/)/gmu, ''));
}

const labels = { 'app.kubernetes.io/name': 'kb-gateway' };

describe.each(['upstream', 'postgres'])('the manifests of %s', (name) => {
  it(
    'get an Ingress, a NetworkPolicy and a ServiceMonitor by the lines of their kustomization',
    needs(hasKustomize(), 'kubectl is missing'),
    async () => {
      const plain = await render(name);
      await addOptions(name);
      const optional = await render(name);
      const added = ['Ingress kb-gateway', 'NetworkPolicy kb-gateway', 'Service kb-gateway-metrics'];
      expect(Object.keys(optional).sort()).toEqual(
        [...Object.keys(plain), ...added, 'ServiceMonitor kb-gateway'].sort(),
      );
      expect(optional['NetworkPolicy kb-gateway']?.spec['podSelector']).toEqual({ matchLabels: labels });
      expect(optional['Service kb-gateway-metrics']).toMatchObject({
        metadata: { labels: { ...labels, 'app.kubernetes.io/component': 'metrics' } },
        spec: { selector: labels, ports: [{ name: 'metrics', targetPort: 'metrics' }] },
      });
      expect(optional['ServiceMonitor kb-gateway']?.spec).toMatchObject({
        selector: { matchLabels: { ...labels, 'app.kubernetes.io/component': 'metrics' } },
        endpoints: [{ port: 'metrics', path: '/metrics' }],
      });
      const backend = { service: { name: 'kb-gateway', port: { name: 'http' } } };
      const paths = ['/graphql', '/schema.graphql', '/console'].map((path) =>
        expect.objectContaining({ path, backend }),
      );
      expect(optional['Ingress kb-gateway']?.spec['rules']).toEqual([{ host: 'kb.example', http: { paths } }]);
      const { spec: pods } = Object(optional['Deployment kb-gateway']?.spec['template']);
      const ports = pods.containers[0].ports.map((port: { name: string }) => port.name);
      const allowed = Object(optional['NetworkPolicy kb-gateway']?.spec['ingress']).flatMap(
        (rule: { ports: object }) => rule.ports,
      );
      expect(allowed.map((rule: { port: string }) => rule.port)).toEqual(ports);
    },
  );
});
