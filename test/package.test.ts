import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
}, 240_000);

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

  it('serves, and updates an article', async () => {
    gateway = await startGatewayProcess({ cwd: folder, main });
    expect(await paste(gateway.command)).toContain('"ArticleUpdated"');
    expect((await gateway.stop()).code).toBe(0);
  });
});
