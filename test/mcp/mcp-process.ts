import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

const MAIN = resolve('src/main.ts');

type Settings = Readonly<Record<string, string>>;

/** A folder that is removed after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-mcp-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Starts `kb-gateway mcp` as a client of AI does, until the end of the test. */
export async function connectToProcess(
  cwd: string,
  settings: Settings = {},
  { main = MAIN, ...options }: ClientOptions & { readonly main?: string } = {},
) {
  const env = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/kb-gateway/compiled'), ...settings };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    env,
    cwd,
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  onTestFinished(() => client.close());
  await client.connect(transport);
  const { tools } = await client.listTools();
  return { client, tools, log: () => log };
}

/** Writes the messages to a process of its own, ends its stdin, and waits until it has ended. */
export async function converse(cwd: string, input: string | Buffer, settings: Settings) {
  const child = spawn(process.execPath, [MAIN, 'mcp'], { cwd, env: settings, stdio: 'pipe' });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((ended) => child.on('close', ended)),
  ]);
  return {
    code,
    stderr,
    messages: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}
