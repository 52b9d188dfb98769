import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { callTool, connectTo } from './mcp/mcp-client.ts';
import { type InstalledPackage, installPackage } from './support/installed-package.ts';
import {
  INTEGRATIONS,
  type MountedServer,
  NEEDS_INTEGRATIONS,
  startMount,
  TOKEN,
  writeSnippets,
} from './support/mounts.ts';
import { runCommand } from './support/old-node.ts';
import { OTHER_SDK } from './support/other-sdk.ts';
import { freePort } from './support/ports.ts';
import { paste, type RunningGateway, startGatewayProcess } from './support/process.ts';

const run = promisify(execFile);

let installed: InstalledPackage;
let folder: string;
let home: string;
let main: string;
let gateway: RunningGateway | undefined;
/** What the installation takes on the disk, before anything has run. */
let installedBytes: number;

// The image runs what is installed here.
beforeAll(async () => {
  installed = await installPackage();
  ({ folder, home, main } = installed);
  installedBytes = await bytesBelow(join(folder, 'node_modules'));
});

afterAll(async () => {
  await gateway?.stop('SIGKILL');
  await installed.remove();
});

const print = async (option: string): Promise<string> => (await run(process.execPath, [main, option])).stdout;

describe('the package, installed', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(await print('--version')).toBe(`${version}\n`);
  });

  it('prints the schema', async () => {
    expect(await print('print-schema')).toBe(await readFile('schema.graphql', 'utf8'));
  });

  it('holds the files that clients and imports are made with', async () => {
    for (const file of ['schema.graphql', 'possible-types.json', 'knowledge-base.schema.json']) {
      const installed = join(folder, 'node_modules/kb-gateway', file);
      expect(await readFile(installed, 'utf8')).toBe(await readFile(file, 'utf8'));
    }
  });

  it.each(['serve', '--help'])('names a Node that is too old, for %s', async (command) => {
    const { engines } = JSON.parse(await readFile('package.json', 'utf8'));
    const pretended = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const args = ['--import', `data:text/javascript,${encodeURIComponent(pretended)}`, main, command];
    const failed = await run(process.execPath, args).catch((error) => error);
    expect(engines.node).toBe('>=24');
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: 'kb-gateway needs Node 24; this is 20.20.2\n' });
  });

  it('names the Node of the machine, or runs on it', async () => {
    const { stdout: version } = await runCommand('node --version');
    const [major = 0] = version.slice(1).split('.').map(Number);
    const { code, stdout, stderr } = await runCommand(`node '${main}' --version`);
    const refusal = `kb-gateway needs Node 24; this is ${version.slice(1)}`;
    expect({ code, stderr }).toEqual(major < 24 ? { code: 1, stderr: refusal } : { code: 0, stderr: '' });
    expect(stdout === '').toBe(major < 24);
  });

  it('names the Node of the machine to a program that imports createGateway, or is imported', async () => {
    const { stdout: version } = await runCommand('node --version');
    const [major = 0] = version.slice(1).split('.').map(Number);
    const program = "import { createGateway } from 'kb-gateway'; console.log(typeof createGateway);";
    const { stdout, stderr } = await runCommand(`cd '${folder}' && node --input-type=module --eval "${program}"`);
    if (major >= 24) expect(stdout).toBe('function\n');
    else expect(stderr).toContain(`\nError: kb-gateway needs Node 24; this is ${version.slice(1)}`);
  });

  it('serves, and prints a command that works, and the console, which is in the package', async () => {
    gateway = await startGatewayProcess({ cwd: folder, main, terminal: true });
    const url = gateway.url.replace(/graphql$/u, '');
    const page = await (await fetch(`${url}console`)).text();
    const [, script = ''] = /src="(console\/main-[^"]+\.js)"/u.exec(page) ?? [];
    const answer = await fetch(url + script);
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(existsSync(join(folder, 'node_modules/react'))).toBe(false);
    expect(await readFile(join(home, 'dist/console/LICENCES.txt'), 'utf8')).toMatch(/^react-dom \d.*, MIT$/mu);
    expect(await paste(gateway.command)).toContain('"readerGroups"');
    expect((await gateway.stop()).code).toBe(0);
  });
});

/** The bytes that a folder and all below it take on the disk, as `du` counts them. */
async function bytesBelow(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const sizes = entries.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).blocks * 512);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Megabytes as `du -m` counts them. */
const MEGABYTE = 1024 ** 2;

/** What is installed takes no more. */
const MAX_INSTALLED_BYTES = 80 * MEGABYTE;

const SESSIONS = "authenticate: async ({ headers }) => ({ subject: headers.get('x-user'), scopes: ['read'] })";

describe('the package, for others', () => {
  it('has no finding of publint', async () => {
    const { stdout } = await run('npx', ['publint', '--strict', inject('tarball')]);
    expect(stdout).toContain('All good!');
  });

  it('has types that every resolution of an ES module finds', NEEDS_INTEGRATIONS, async () => {
    const options = ['--profile', 'esm-only', '--format', 'json', '--entrypoints', '.', 'package.json'];
    const { stdout } = await run(join(INTEGRATIONS, '.bin/attw'), [inject('tarball'), ...options]);
    const { analysis } = JSON.parse(stdout);
    const found: { readonly kind: string; readonly resolutionKind?: string }[] = analysis.problems;
    // Resolutions without `exports`, and those of CommonJS, which gets an ES module by `require` in Node 24.
    const notServed = new Set(['node10', 'node16-cjs']);
    expect(found.filter(({ resolutionKind }) => !notServed.has(resolutionKind ?? ''))).toEqual([]);
    expect(Object.keys(analysis.entrypoints['.'].resolutions)).toContain('node16-esm');
  });

  it('is published without scripts that an installation runs', async () => {
    const { scripts } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
    expect(Object.keys(scripts).filter((name) => /^(?:prepare|(?:pre|post)?install)$/u.test(name))).toEqual([]);
  });

  it('shows how it is started first, and names Document360 where registries search', async () => {
    const readme = await readFile(join(home, 'README.md'), 'utf8');
    expect(/^```sh\n(?<first>.*)$/mu.exec(readme)?.groups?.['first']).toBe('npx kb-gateway');
    const { description, keywords } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
    expect([description, keywords]).toEqual([
      expect.stringContaining('Document360'),
      expect.arrayContaining(['document360']),
    ]);
  });

  it('shares all packages with the program that imports it', async () => {
    const files = (await readdir(join(home, 'dist/library'))).filter((file) => file.endsWith('.js.map'));
    const maps = await Promise.all(files.map((file) => readFile(join(home, 'dist/library', file), 'utf8')));
    const sources: readonly string[] = maps.flatMap((map) => JSON.parse(map).sources);
    expect(sources).toContain('../../src/server/gateway/create-gateway.ts');
    expect(sources.filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  it('stands beside graphql 17 with the override that docs/package.md names, and asks for it', async () => {
    const program = `import { createGateway } from 'kb-gateway';
const gateway = createGateway({ backend: { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: ['t'] } });
await gateway.ready().then(() => console.log('ready'), (error) => console.log(error.message));
await gateway.close();
`;
    const [override = ''] = /"overrides": \{ .*? \} \}/u.exec(await readFile('docs/package.md', 'utf8')) ?? [];
    const answers: string[] = [];
    for (const members of [{}, JSON.parse(`{ ${override} }`)]) {
      const host = await installPackage(['graphql@17'], members);
      await writeFile(join(host.folder, 'host.js'), program);
      answers.push((await run(process.execPath, ['host.js'], { cwd: host.folder })).stdout);
      await host.remove();
    }
    expect(answers).toEqual([expect.stringContaining(override), 'ready\n']);
  });

  it('is compiled against, and a wrong option is an error of the compiler', async () => {
    const backend = "{ kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: ['t'] }";
    const program = (options: string) => `import { createGateway, type Gateway } from 'kb-gateway';
export const gateway: Gateway = createGateway({ backend: ${backend}, ${options} });
export const answer: Promise<Response> = gateway.fetch(new Request('http://site.example/graphql'));
`;
    await writeFile(join(folder, 'right.ts'), program(`limits: { maxBodyBytes: 1_000 }, ${SESSIONS}`));
    await writeFile(join(folder, 'wrong.ts'), program("limits: { maxBodyBytes: '1000' }"));
    await writeFile(join(folder, 'no-scopes.ts'), program("authenticate: () => ({ subject: 'alice' })"));
    // The types of Node, which docs/package.md tells TypeScript's users to install; of nothing else are there any.
    const types = join(folder, 'node_modules/@types');
    await mkdir(types, { recursive: true });
    await symlink(resolve('node_modules/@types/node'), join(types, 'node'));
    const compile = (file: string) =>
      run(resolve('node_modules/.bin/tsc'), ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', file], {
        cwd: folder,
      });
    await compile('right.ts');
    await expect(compile('wrong.ts')).rejects.toMatchObject({ stdout: expect.stringContaining("Type 'string'") });
    await expect(compile('no-scopes.ts')).rejects.toMatchObject({ stdout: expect.stringContaining("'scopes'") });
  });

  it('installs what docs/package.md says, in packages and in size', async () => {
    const page = await readFile('docs/package.md', 'utf8');
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
    const [, section = ''] = page.split('\n## Dependencies\n');
    const [list = ''] = section.trim().split('\n\n');
    const listed = [...list.matchAll(/`(?<name>[@\w/-]+)`/gu)].map(({ groups }) => groups?.['name']);
    expect(listed).toEqual(Object.keys(dependencies));
    const stated = /puts (?<packages>\d+) packages of (?<mb>\d+) MB/u.exec(page)?.groups;
    const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    const packages = Object.keys(lock.packages).length;
    // Versions within the ranges change both a little.
    const isNear = (value: number, name: string) => Math.abs(value / Number(stated?.[name]) - 1) < 0.1;
    const isRight = isNear(packages, 'packages') && isNear(installedBytes / MEGABYTE, 'mb');
    expect(isRight, `${packages} packages of ${Math.round(installedBytes / MEGABYTE)} MB`).toBe(true);
    expect(installedBytes).toBeLessThanOrEqual(MAX_INSTALLED_BYTES);
  });
});

/** Asks a server of docs/package.md what a client would. */
async function checkMount({ url }: MountedServer): Promise<void> {
  const post = (body: string, token = TOKEN) =>
    fetch(`${url}/kb/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: token },
      body,
    });
  const query = JSON.stringify({ query: '{ projectVersions { name } }' });
  expect(await (await post(query)).json()).toEqual({ data: { projectVersions: [] } });
  expect(await (await post(query, 'other')).json()).toMatchObject({
    errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
  });
  const got = await fetch(`${url}/kb/graphql?query={__typename}`, { headers: { api_token: TOKEN } });
  expect(await got.json()).toEqual({ data: { __typename: 'Query' } });
  const schema = await fetch(`${url}/kb/schema.graphql`);
  expect(await schema.text()).toBe(await readFile('schema.graphql', 'utf8'));
  const rest = await fetch(`${url}/kb/v2/ProjectVersions`, { headers: { api_token: TOKEN } });
  expect(await rest.json()).toMatchObject({ success: true });
  const refused = await post(`"${'x'.repeat(11 * 1024 ** 2)}"`);
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { errors: [{ extensions: { code: 'REQUEST_ENTITY_TOO_LARGE' } }] },
  ]);
  expect((await fetch(`${url}/kb/nothing`)).status).toBe(404);
  expect(await (await fetch(url)).text()).toContain('The rest of the site.');
}

/** Asks a server with sessions what its users would. */
async function checkSessions({ url }: MountedServer): Promise<void> {
  const send = async (query: string, headers: Record<string, string>) => {
    const body = JSON.stringify({ query });
    const type = { 'content-type': 'application/json' };
    return (await fetch(`${url}/kb/graphql`, { method: 'POST', headers: { ...type, ...headers }, body })).json();
  };
  const read = '{ projectVersions { name } }';
  const write = `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a", order: 1 }] }) {
    __typename ... on MutationError { code } } }`;
  const reader = { cookie: 's=reader' };
  expect(await send(read, reader)).toEqual({ data: { projectVersions: [] } });
  expect(await send(write, reader)).toMatchObject({ data: { bulkUpdateArticles: { code: 'FORBIDDEN' } } });
  expect(await send(write, { cookie: 's=editor' })).toEqual({
    data: { bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload' } },
  });
  for (const unknown of [{}, { cookie: 's=other' }, { api_token: TOKEN }])
    expect(await send(read, unknown)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
}

const SERVERS = [
  ['node:http', 'http.js', []],
  ['Express', 'express.js', ['express']],
  ['Fastify', 'fastify.js', ['fastify']],
  ['Hono', 'hono.js', ['hono', '@hono/node-server']],
] as const;

/** Below the installed package, with packages of its own: some of the servers are dependencies of ours, too. */
const mounts = () => join(folder, 'mounts');

describe('the servers of docs/package.md', NEEDS_INTEGRATIONS, () => {
  beforeAll(async () => {
    const packages = [...SERVERS.flatMap(([, , names]) => names), 'next', 'react', 'react-dom'];
    await writeSnippets('docs/package.md', mounts(), packages);
  });

  it.each(SERVERS)('%s serves the gateway beside the rest, and ends when both are closed', async (_name, file) => {
    const server = await startMount({ cwd: mounts(), args: () => [file] });
    await checkMount(server);
    expect(await server.stop()).toEqual({ code: 0, output: '' });
  });

  it('a server gets GraphiQL, MCP and metrics, and its SDK of OpenTelemetry the spans', async () => {
    const port = await freePort();
    const gateway = await readFile(join(mounts(), 'gateway.js'), 'utf8');
    const options = `basePath: '/kb', mcp: {}, metrics: { port: ${port} },`;
    await writeFile(join(mounts(), 'observed-gateway.js'), gateway.replace("basePath: '/kb',", options));
    const host = await readFile(join(mounts(), 'http.js'), 'utf8');
    await writeFile(join(mounts(), 'observed.js'), host.replace('./gateway.js', './observed-gateway.js'));
    await writeFile(join(mounts(), 'sdk.js'), OTHER_SDK);
    const server = await startMount({ cwd: mounts(), args: () => ['--import', './sdk.js', 'observed.js'] });
    const page = await fetch(`${server.url}/kb/graphql`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('GraphiQL');
    const client = await connectTo(`${server.url}/kb`, { api_token: TOKEN });
    expect((await callTool(client, 'list_project_versions')).isError).toBe(false);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(await metrics.text()).toContain('kb_gateway_');
    expect((await server.stop()).output).toContain("name: 'POST /mcp'");
  });

  it.each(SERVERS)('%s names the callers of the gateway by sessions of its own', async (_name, file) => {
    const users = "{ 's=editor': { id: 'alice', isEditor: true }, 's=reader': { id: 'bob', isEditor: false } }";
    await writeFile(join(mounts(), 'users.js'), `export const findUser = async (cookie) => (${users})[cookie];\n`);
    const host = await readFile(join(mounts(), file), 'utf8');
    await writeFile(join(mounts(), `sessions-${file}`), host.replace('./gateway.js', './with-sessions.js'));
    const server = await startMount({ cwd: mounts(), args: () => [`sessions-${file}`] });
    await checkSessions(server);
    expect(await server.stop()).toEqual({ code: 0, output: '' });
  });

  it('Next.js serves the gateway beside the rest', async () => {
    const page = "export default function Page() { return 'The rest of the site.'; }\n";
    const layout = 'export default ({ children }) => <html><body>{children}</body></html>;\n';
    await writeFile(join(mounts(), 'app/page.js'), page);
    await writeFile(join(mounts(), 'app/layout.js'), layout);
    const next = join(mounts(), 'node_modules/next/dist/bin/next');
    await run(process.execPath, [next, 'build', '--webpack'], { cwd: mounts() });
    // The build has imported the route, and opened nothing.
    expect(existsSync(join(mounts(), 'data'))).toBe(false);
    const server = await startMount({
      cwd: mounts(),
      args: (port) => [next, 'start', '--hostname', '127.0.0.1', '--port', `${port}`],
    });
    await checkMount(server).finally(server.stop);
  });
});

describe('the package on Node 24', () => {
  it('serves, and is mounted', async ({ skip }) => {
    const nodeFolder = join(folder, 'node24');
    await mkdir(nodeFolder);
    const manifest = { private: true, dependencies: { node: '24' }, allowScripts: { node: true } };
    await writeFile(join(nodeFolder, 'package.json'), JSON.stringify(manifest));
    const install = run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: nodeFolder });
    const isInstalled = await install.then(
      () => true,
      () => false,
    );
    const node = join(nodeFolder, 'node_modules/node/bin/node');
    if (!isInstalled || !existsSync(node)) return skip('the package of Node 24 cannot be installed');
    expect((await run(node, ['--version'])).stdout).toMatch(/^v24\./u);
    expect((await run(node, [main, 'print-schema'])).stdout).toBe(await readFile('schema.graphql', 'utf8'));
    const old = await startGatewayProcess({ cwd: nodeFolder, main, node, terminal: true });
    expect(await paste(old.command)).toContain('"readerGroups"');
    expect((await old.stop()).code).toBe(0);
    await writeSnippets('docs/package.md', mounts(), []);
    const server = await startMount({ cwd: mounts(), node, args: () => ['http.js'] });
    await checkMount(server);
    expect(await server.stop()).toEqual({ code: 0, output: '' });
  });
});
