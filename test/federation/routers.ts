import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { untilListening } from '../support/listening-program.ts';
import { freePort, portOf } from '../support/ports.ts';

export interface Program {
  readonly url: string;
  stop(): Promise<void>;
}

interface Start {
  readonly args?: readonly string[];
  /** True when the port is its first argument, and not a variable. */
  readonly takesPort?: boolean;
}

/** Starts a program of `examples` or `integrations` on a free port of this machine. */
export async function startProgram(file: string, { args = [], takesPort = false }: Start = {}): Promise<Program> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-federation-'));
  const child = spawn(process.execPath, [file, ...(takesPort ? [`${port}`] : []), ...args], {
    env: { PORT: `${port}`, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const reason = text(child.stderr);
  const { stop } = await untilListening({ name: file, child, port, folder, readReason: () => reason });
  return { url: `http://127.0.0.1:${port}/graphql`, stop };
}

export interface Recorder {
  readonly url: string;
  /** The header `authorization` of each request. */
  readonly tokens: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Passes the bodies of requests on to another server, and records the tokens. */
export async function startRecorder(target: string): Promise<Recorder> {
  const tokens: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    tokens.push(request.headers.authorization);
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await fetch(target, { method: 'POST', headers, body: await text(request) });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { url: `http://127.0.0.1:${portOf(server.address())}/graphql`, tokens, close };
}

const run = promisify(execFile);

/** Composes subgraphs by the example, into a file of a new folder. Returns its path. */
export async function composeSupergraph(folder: string, subgraphs: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['examples/federation/compose.ts', ...subgraphs]);
  const file = join(folder, 'supergraph.graphql');
  await writeFile(file, stdout);
  return file;
}
