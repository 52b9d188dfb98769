import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './support/old-node.ts';
import { paste, type RunningGateway, startGatewayProcess } from './support/process.ts';

const run = promisify(execFile);

let folder: string;
let main: string;
let gateway: RunningGateway | undefined;

// The image runs what is installed here: the built files and their dependencies, without those of development.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-package-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder]);
  const [, filename = ''] = /"filename": "(?<name>[^"]+)"/u.exec(stdout) ?? [];
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', folder];
  await run('npm', ['install', ...options, join(folder, filename)]);
  main = join(folder, 'node_modules/kb-gateway/dist/main.js');
});

afterAll(async () => {
  await gateway?.stop('SIGKILL');
  await rm(folder, { recursive: true });
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

  it('serves, and updates an article', async () => {
    gateway = await startGatewayProcess({ cwd: folder, main });
    expect(await paste(gateway.command)).toContain('"ArticleUpdated"');
    expect((await gateway.stop()).code).toBe(0);
  });
});
