import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const run = promisify(execFile);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-deploy-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** The output of the linter. */
const lint = (path: string): Promise<string> =>
  run(process.execPath, ['scripts/lint-deploy.ts', path]).then(
    ({ stderr }) => stderr,
    ({ stderr }) => stderr,
  );

/** A copy of the files with one change that breaks them. */
async function broken({ file, from, to }: Readonly<Record<'file' | 'from' | 'to', string>>): Promise<string> {
  for (const path of ['Dockerfile', 'compose.yaml', 'deploy']) await cp(path, join(folder, path), { recursive: true });
  const text = await readFile(join(folder, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, file), text.replace(from, to));
  return folder;
}

describe('lint:deploy', () => {
  it('finds nothing wrong with the files', async () => {
    expect(await lint('.')).toBe('');
  });

  it.each([
    { file: 'Dockerfile', from: 'USER 1000', to: 'USR 1000', says: 'Unknown instruction: USR' },
    { file: 'compose.yaml', from: 'ports:', to: 'prots:', says: 'must NOT have additional properties' },
    { file: 'deploy/kubernetes/deployment.yaml', from: 'readOnlyRoot', to: 'readonlyRoot', says: '"readonlyRootFile' },
    { file: 'deploy/kubernetes/service.yaml', from: 'port: 80', to: 'port: eighty', says: 'must be integer' },
    { file: 'deploy/kubernetes/kustomization.yaml', from: '- service', to: '- server', says: 'resources must be' },
  ])('finds $to in $file', async ({ says, ...change }) => {
    expect(await lint(await broken(change))).toContain(says);
  });
});

describe('the image', async () => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

  it('runs node directly, not as root, and has a readiness check', () => {
    expect(final).toMatch(/^USER 1000:1000$/mu);
    expect(final).toMatch(/^CMD \["node", "--max-semi-space-size=16", "dist\/main.js", "serve"\]$/mu);
    expect(final).toMatch(/^HEALTHCHECK .*\n? +CMD \["node",.*\/health\/ready/mu);
  });

  it('uses the Node version of the tests', () => {
    const [major] = process.versions.node.split('.');
    const bases = [...dockerfile.matchAll(/^FROM (?<base>\S+)/gmu)].map(({ groups }) => groups?.['base']);
    expect(bases).toEqual([`node:${major}-slim`, `node:${major}-slim`]);
  });
});

describe('the manifests', async () => {
  const read = async (path: string) => parse(await readFile(path, 'utf8'), { merge: true });
  const manifest = (name: string) => read(`deploy/kubernetes/${name}.yaml`);

  it('leave the gateway enough time to stop', async () => {
    const { data } = await manifest('config-map');
    const { spec } = (await manifest('deployment')).spec.template;
    const [{ lifecycle }] = spec.containers;
    const graceMs = (spec.terminationGracePeriodSeconds - lifecycle.preStop.sleep.seconds) * 1_000;
    expect(graceMs).toBeGreaterThanOrEqual(Number(data.SHUTDOWN_GRACE_MS) + 3_000);
    const { services } = await read('compose.yaml');
    for (const name of ['gateway-1', 'gateway-2']) {
      const { stop_grace_period, environment } = services[name];
      expect(Number.parseInt(stop_grace_period, 10) * 1_000).toBeGreaterThanOrEqual(
        Number(environment.SHUTDOWN_GRACE_MS) + 3_000,
      );
    }
  });

  it('select the pods of the deployment, and name its port', async () => {
    const { spec } = await manifest('deployment');
    const { labels } = spec.template.metadata;
    const [service, budget] = [await manifest('service'), await manifest('pod-disruption-budget')];
    expect([service.spec.selector, budget.spec.selector.matchLabels, spec.selector.matchLabels]).toEqual([
      labels,
      labels,
      labels,
    ]);
    const [{ ports }] = spec.template.spec.containers;
    expect(ports[0].name).toBe(service.spec.ports[0].targetPort);
  });
});
