import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { ok } from '../src/core/base/result.ts';
import { misspeltSettings, readConfig } from '../src/server/config.ts';
import { packageVersion } from '../src/server/package-version.ts';
import { openFaultyService } from './support/faulty-service.ts';
import { openJwtIssuer } from './support/jwt-issuer.ts';
import { NEEDS_INTEGRATIONS } from './support/mounts.ts';
import { startGatewayProcess } from './support/process.ts';
import { serveWritable } from './support/writable-service.ts';

const run = promisify(execFile);

let folder: string;
/** The files of a Secret. */
let secrets: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-deploy-'));
  secrets = await mkdtemp(join(tmpdir(), 'kb-gateway-secrets-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
  await rm(secrets, { recursive: true });
});

/** The output of the linter. */
const lint = (path: string): Promise<string> =>
  run(process.execPath, ['integrations/tools/lint-deploy.ts', path]).then(
    ({ stderr }) => stderr,
    ({ stderr }) => stderr,
  );

const KUBERNETES = 'deploy/kubernetes';

/** Changes that break the files, and what the linter says of each. */
const BROKEN = [
  { file: 'Dockerfile', from: 'USER 1000', to: 'USR 1000', says: /^Dockerfile:\d+: Unknown instruction: USR$/mu },
  {
    file: 'Dockerfile',
    from: `version="${packageVersion()}"`,
    to: 'version="0.0.9"',
    says: /^Dockerfile: the label .*image\.version="[^"]+" is missing$/mu,
  },
  { file: 'compose.yaml', from: 'ports:', to: 'prots:', says: /\/compose\.yaml\n.*must NOT have additional/u },
  {
    file: 'compose.upstream.yaml',
    from: 'cap_drop:',
    to: 'cap_dorp:',
    says: /\/compose\.upstream\.yaml\n.*must NOT have additional/u,
  },
  {
    file: 'deploy/compose/compose.yaml',
    from: 'read_only:',
    to: 'readonly:',
    says: /deploy\/compose\/compose\.yaml\n.*must NOT have additional/u,
  },
  {
    file: `${KUBERNETES}/gateway/deployment.yaml`,
    from: 'readOnlyRoot',
    to: 'readonlyRoot',
    says: /"readonlyRootFile/u,
  },
  {
    file: `${KUBERNETES}/upstream/config-map.yaml`,
    from: '"40000"',
    to: '40000',
    says: /^upstream\/config-map\.yaml: .* must be string$/mu,
  },
  {
    file: `${KUBERNETES}/gateway/service.yaml`,
    from: 'port: 80',
    to: 'port: eighty',
    says: /^gateway\/service\.yaml: .* must be integer$/mu,
  },
  {
    file: `${KUBERNETES}/gateway/kustomization.yaml`,
    from: '- service',
    to: '- server',
    says: /^gateway\/kustomization\.yaml: resources must be/mu,
  },
  {
    file: `${KUBERNETES}/network-policy/network-policy.yaml`,
    from: 'podSelector: {}',
    to: 'podSelektor: {}',
    says: /podSelektor/u,
  },
  {
    file: `${KUBERNETES}/service-monitor/service-monitor.yaml`,
    from: 'interval: 30s',
    to: 'interval: often',
    says: /^service-monitor\/service-monitor\.yaml: .*interval/mu,
  },
  {
    file: `${KUBERNETES}/upstream/kustomization.yaml`,
    from: '../gate',
    to: '../gait',
    says: /^upstream\/kustomization\.yaml: resources must be/mu,
  },
];

describe('lint:deploy', NEEDS_INTEGRATIONS, () => {
  it('finds nothing wrong with the files', { tags: 'long' }, async () => {
    expect(await lint('.')).toBe('');
  });

  it('finds each mistake in a copy of them', { tags: 'long' }, async () => {
    for (const path of ['Dockerfile', 'compose.yaml', 'compose.upstream.yaml', 'deploy'])
      await cp(path, join(folder, path), { recursive: true });
    for (const { file, from, to } of BROKEN) {
      const text = await readFile(join(folder, file), 'utf8');
      expect(text).toContain(from);
      await writeFile(join(folder, file), text.replace(from, to));
    }
    const problems = await lint(folder);
    for (const { says } of BROKEN) expect(problems).toMatch(says);
  });
});

describe('the image', async () => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

  it('runs node directly, not as root, and has a readiness check', () => {
    expect(final).toMatch(/^USER 1000:1000$/mu);
    expect(final).toMatch(/^CMD \["node", "dist\/main.js", "serve"\]$/mu);
    expect(final).toMatch(/^HEALTHCHECK .*\n? +CMD \["node",.*\/health\/ready/mu);
  });

  it('keeps all files on its volume, those of the default settings and the temporary ones of SQLite', () => {
    expect(final).toMatch(/^VOLUME \/data$/mu);
    expect(final).toContain('ln -s /data /app/data');
    // Without it, statements with much to sort fail with an I/O error where the root is read-only.
    expect(final).toMatch(/^ENV .*SQLITE_TMPDIR=\/data$/mu);
  });

  it('uses the Node version of the tests', () => {
    const [major] = process.versions.node.split('.');
    const bases = [...dockerfile.matchAll(/^FROM (?<base>\S+)/gmu)].map(({ groups }) => groups?.['base']);
    expect(bases).toEqual([`node:${major}-slim`, `node:${major}-slim`]);
  });
});

describe('the manifests', async () => {
  const read = async (path: string) => parse(await readFile(path, 'utf8'), { merge: true });
  const manifest = (name: string) => read(`deploy/kubernetes/gateway/${name}.yaml`);

  it('leave the gateway enough time to stop', async () => {
    const { spec } = (await manifest('deployment')).spec.template;
    const [{ lifecycle }] = spec.containers;
    const graceMs = (spec.terminationGracePeriodSeconds - lifecycle.preStop.sleep.seconds) * 1_000;
    for (const name of ['upstream', 'postgres']) {
      const { data } = await read(`deploy/kubernetes/${name}/config-map.yaml`);
      expect(graceMs).toBeGreaterThanOrEqual(Number(data.SHUTDOWN_GRACE_MS) + 3_000);
    }
    const services = (await Promise.all(COMPOSE_FILES.map(read))).flatMap((file) =>
      Object.entries<{ stop_grace_period: string; environment: Settings }>(file.services)
        .filter(([name]) => name.startsWith('gateway'))
        .map(([, service]) => service),
    );
    expect(services).toHaveLength(4);
    for (const { stop_grace_period, environment } of services) {
      expect(Number.parseInt(stop_grace_period, 10) * 1_000).toBeGreaterThanOrEqual(
        Number(environment['SHUTDOWN_GRACE_MS']) + 3_000,
      );
    }
  });

  it('in front of the service keep the state on a volume, and stop the old gateway before the new one starts', async () => {
    const { patches, replicas } = await read(`deploy/kubernetes/upstream/kustomization.yaml`);
    const { metadata, spec } = parse(patches[0].patch);
    expect(metadata.name).toBe((await manifest('deployment')).metadata.name);
    expect(spec.strategy).toEqual({ type: 'Recreate', rollingUpdate: null });
    expect(replicas).toEqual([{ name: metadata.name, count: 1 }]);
    const { containers, volumes } = spec.template.spec;
    expect(containers).toEqual([{ name: 'kb-gateway', volumeMounts: [{ name: volumes[0].name, mountPath: '/data' }] }]);
    const claim = await read('deploy/kubernetes/upstream/volume-claim.yaml');
    expect(volumes).toEqual([{ name: 'state', persistentVolumeClaim: { claimName: claim.metadata.name } }]);
    const compose = await read('compose.upstream.yaml');
    expect([compose.services.gateway.volumes, Object.keys(compose.volumes)]).toEqual([['state:/data'], ['state']]);
    const { data } = await read('deploy/kubernetes/upstream/config-map.yaml');
    for (const settings of [compose.services.gateway.environment, data])
      expect(settings.STATE_URL).toBe('sqlite:/data/state.db');
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

  it('serve metrics to the network of the gateway alone', async () => {
    const { metadata, spec } = (await manifest('deployment')).spec.template;
    const [{ ports, env }] = spec.containers;
    const port = ports.find(({ name }: { name: string }) => name === 'metrics').containerPort;
    const settings = { METRICS_HOST: '::', METRICS_PORT: `${port}` };
    expect(Object.fromEntries(env.map(({ name, value }: Settings) => [name, value]))).toEqual(settings);
    expect(metadata.annotations).toMatchObject({ 'prometheus.io/port': `${port}`, 'prometheus.io/path': '/metrics' });
    expect((await manifest('service')).spec.ports).toHaveLength(1);
    for (const file of COMPOSE_FILES) {
      const services = Object.entries<{ ports: readonly string[]; environment: Settings }>((await read(file)).services);
      for (const [, service] of services.filter(([name]) => name.startsWith('gateway'))) {
        expect(service.environment).toMatchObject(settings);
        expect(service.ports.join()).not.toContain(`${port}`);
      }
    }
  });
});

type Settings = Readonly<Record<string, string>>;

const COMPOSE_FILES = ['compose.yaml', 'compose.upstream.yaml', 'deploy/compose/compose.yaml'];

describe('the settings of a deployment', () => {
  const read = async (path: string) => parse(await readFile(path, 'utf8'), { merge: true });

  /** The ConfigMap, with the Secret of the comment of the kustomization as the files that it names. */
  async function settingsOf(name: string): Promise<Settings> {
    const { data } = await read(`deploy/kubernetes/${name}/config-map.yaml`);
    const { spec } = (await read('deploy/kubernetes/gateway/deployment.yaml')).spec.template;
    const [{ mountPath }] = spec.containers[0].volumeMounts;
    const comment = await readFile(`deploy/kubernetes/${name}/kustomization.yaml`, 'utf8');
    const settings: Record<string, string> = { ...data };
    for (const { groups } of comment.matchAll(/--from-literal=(?<key>[A-Z_]+)=(?<value>\S+)/gu)) {
      const { key = '', value = '' } = groups ?? {};
      expect(settings[`${key}_FILE`]).toBe(`${mountPath}/${key}`);
      settings[`${key}_FILE`] = join(secrets, key);
      await writeFile(join(secrets, key), `${value.replace(/^…$/u, 'secret').replace(/…$/u, 'user@host/kb')}\n`);
    }
    return settings;
  }

  /** The variables as Compose fills them in, each that has no default by the given value. */
  async function composed(file: string, service: string, given: Settings): Promise<Settings> {
    const { environment } = (await read(file)).services[service];
    const fillIn = (text: string): string => {
      const { 0: variable = '', groups } = /\$\{(?<name>[A-Z_]+):(?<kind>[-?])(?<rest>[^}]*)\}/u.exec(text) ?? {};
      if (!groups) return text;
      const { name = '', kind, rest } = groups;
      const value = given[name] ?? (kind === '-' ? rest : undefined);
      if (value === undefined) throw new Error(`${name} is not given`);
      return fillIn(text.replace(variable, () => value));
    };
    return Object.fromEntries(Object.entries<string>(environment).map(([name, value]) => [name, fillIn(value)]));
  }

  const clients = { CLIENT_JWKS_URL: 'https://id.example/keys', CLIENT_JWT_ISSUER: 'https://id.example/' };

  /** The settings in front of the service, with a folder of the test as the volume. */
  const ON_VOLUME = [
    ['on Kubernetes', () => settingsOf('upstream')],
    ['by Compose', () => composed('compose.upstream.yaml', 'gateway', { ...clients, UPSTREAM_API_TOKEN: 'secret' })],
  ] as const;
  const start = async (settings: Settings, more: Settings = {}) =>
    startGatewayProcess({
      cwd: folder,
      settings: {
        ...settings,
        METRICS_PORT: '0',
        STATE_URL: `${settings['STATE_URL']}`.replace('/data', join(folder, 'volume')),
        ...more,
      },
    });

  it.each(ON_VOLUME)(
    'in front of the service start a gateway that needs JWTs and writes no file, %s',
    { tags: 'long' },
    async (_, settings) => {
      const gateway = await start(await settings());
      expect(gateway.printed()).toContain('"in front of the service at https://apihub.document360.io"');
      const refused = await fetch(`${gateway.url}?query={projectVersions{name}}`, {
        headers: { 'x-api-token': 'secret' },
      });
      expect(await refused.text()).toContain('UNAUTHENTICATED');
      const { code, log } = await gateway.stop();
      expect({ code, log }).toEqual({ code: 0, log: expect.not.stringContaining('"warn"') });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.each(ON_VOLUME)(
    'run a job in front of the service, and keep it on the volume, %s',
    { tags: 'long' },
    async (_, settings) => {
      const [service, issuer] = [await openFaultyService(), await openJwtIssuer()];
      serveWritable(service, ['a1']);
      const gateway = await start(await settings(), { CLIENT_JWKS_URL: issuer.jwksUrl, UPSTREAM_URL: service.url });
      onTestFinished(async () => {
        await gateway.stop('SIGKILL');
        await Promise.all([service.close(), issuer.close()]);
      });
      const authorization = `Bearer ${await issuer.sign({ scope: 'read articles:write' })}`;
      const send = async (query: string) => {
        const headers = { 'content-type': 'application/json', authorization };
        const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
        return Object(await response.json()).data;
      };
      const articles = '[{ articleId: "a1", title: "New" }]';
      const submit = `submitArticleUpdateJob(input: { articles: ${articles} }, idempotencyKey: "k") { __typename }`;
      const submitted = { submitArticleUpdateJob: { __typename: 'SubmitArticleUpdateJobPayload' } };
      expect(await send(`mutation { ${submit} }`)).toEqual(submitted);
      const jobs = { nodes: [{ state: 'COMPLETED', summary: { updated: 1 } }] };
      await expect
        .poll(() => send('{ articleUpdateJobs { nodes { state summary { updated } } } }'))
        .toEqual({ articleUpdateJobs: jobs });
      expect(await readdir(join(folder, 'volume'))).toContain('state.db');
      expect((await fetch(new URL('/health/ready', gateway.url))).status).toBe(200);
    },
  );

  it('over a store on a volume start a gateway with a token and the console, by Compose', {
    tags: 'long',
  }, async () => {
    const settings = await composed('deploy/compose/compose.yaml', 'gateway', {});
    expect((await read('deploy/compose/compose.yaml')).services.gateway.volumes).toEqual(['store:/data']);
    const gateway = await startGatewayProcess({ cwd: folder, settings: { ...settings, METRICS_PORT: '0' } });
    // The image has a link from /app/data to the volume.
    expect(gateway.token).toBe((await readFile(join(folder, 'data/kb.db.api-token'), 'utf8')).trim());
    expect((await fetch(gateway.url.replace('graphql', 'console'))).status).toBe(200);
    expect((await gateway.stop()).code).toBe(0);
  });

  it.each([
    ['on Kubernetes', () => settingsOf('postgres')],
    ['by Compose', () => composed('compose.yaml', 'gateway-1', { API_TOKEN: 'secret', POSTGRES_PASSWORD: 'secret' })],
  ])('over PostgreSQL are taken, %s', async (_, settings) => {
    const environment = await settings();
    const config = readConfig(environment, { readFile: (path) => ok(readFileSync(path, 'utf8')) });
    expect(config).toMatchObject({ ok: true, value: { backend: { kind: 'local', apiTokens: ['secret'] } } });
    expect(misspeltSettings(environment)).toEqual([]);
  });
});
