import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { needs } from './needs.ts';
import { freePort } from './ports.ts';

/** The clients and servers of others, and tools. They are a package of their own, so that users of the gateway install none. */
export const INTEGRATIONS = resolve('integrations/node_modules');

export const NEEDS_INTEGRATIONS = needs(existsSync(INTEGRATIONS), 'npm ci --prefix integrations has not run');

const SNIPPET = /^```js\n\/\/ (?<path>\S+)\n(?<code>.*?)^```$/gmsu;

/** Writes the files that the page shows into a folder, beside the packages that they import. */
export async function writeSnippets(page: string, folder: string, packages: readonly string[]): Promise<void> {
  for (const { groups } of (await readFile(page, 'utf8')).matchAll(SNIPPET)) {
    const path = join(folder, groups?.['path'] ?? '');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, groups?.['code'] ?? '');
  }
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(INTEGRATIONS, name), link);
  }
}

export const TOKEN = 'the-token-of-the-test';

export interface MountedServer {
  readonly url: string;
  /** Sends SIGTERM and resolves to the code and the output. */
  stop(): Promise<{ readonly code: number | null; readonly output: string }>;
}

interface StartOptions {
  readonly cwd: string;
  readonly node?: string;
  /** The arguments of Node, for the port. */
  readonly args: (port: number) => readonly string[];
}

/** Starts a server of the snippets, and resolves once it accepts requests. */
export async function startMount({ cwd, node = process.execPath, args }: StartOptions): Promise<MountedServer> {
  const port = await freePort();
  const env = { PORT: `${port}`, DATABASE_URL: 'sqlite::memory:', API_TOKEN: TOKEN, NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(node, args(port), { cwd, env: { ...env, PATH: dirname(node) } });
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then((texts) => texts.join(''));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const isServing = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isServing) break;
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${await output}`);
    await sleep(50);
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exited;
      return { code, output: await output };
    },
  };
}
