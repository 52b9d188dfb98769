import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import type { TypedDocumentString } from './generated/operations.ts';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Stopped extends Finished {
  /** The log on stdout. */
  readonly log: string;
}

/** The lines of the log on stdout, each with its line feed. */
export const logIn = (stdout: string): string => stdout.replace(/^(?!\{"time":).*\n?/gmu, '');

export interface Surroundings {
  /** The working directory; relative paths in settings start there. */
  readonly cwd: string;
  /** The program, if it is not the one in `src`. */
  readonly main?: string;
  /** The Node that runs it, if it is not that of the tests. */
  readonly node?: string;
  /** The user that runs it, by number, if it is not that of the tests; only root can name one. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** True for a gateway that takes its stdout for a terminal, and so prints what people read. */
  readonly terminal?: boolean;
  /** The settings: none of the machine is inherited. */
  readonly settings?: Readonly<Record<string, string>>;
}

const MAIN = resolve('src/main.ts');

const AS_TERMINAL = ['--require', resolve('test/support/as-terminal.cjs')];

/** Where Node keeps what it has compiled, so that it compiles the same modules once and not at each start. */
const NODE_COMPILE_CACHE = resolve('node_modules/.cache/kb-gateway/compiled');

/** A command that listens does so on a free port, since another program may have the default one. */
const portOf = ([command = 'serve', ...args]: readonly string[]) =>
  command === 'serve' && !args.includes('--config-check') ? { PORT: '0' } : {};

export const spawnGateway = (
  args: readonly string[],
  { cwd, main = MAIN, node = process.execPath, user, terminal = false, settings = {} }: Surroundings,
) =>
  spawn(node, [...(terminal ? AS_TERMINAL : []), main, ...args], {
    ...user,
    cwd,
    env: { NODE_COMPILE_CACHE, ...portOf(args), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs a command of the gateway until it ends. */
export async function runGateway(args: readonly string[], surroundings: Surroundings): Promise<Finished> {
  const child = spawnGateway(args, surroundings);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  return { code, stdout, stderr };
}

const exitOf = async (child: ChildProcess): Promise<number | null> => {
  const [code] = await once(child, 'close');
  return code;
};

/** The IDs of the running child processes of a process. */
export function childrenOf(pid: number | undefined): readonly number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/u).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

export interface RunningGateway {
  readonly pid: number;
  /** The printed URL of GraphQL. */
  readonly url: string;
  /** The generated token; empty when none was generated. */
  readonly token: string;
  /** The command for an example query that a terminal shows; else empty. */
  readonly command: string;
  /** The ID of an article of the demo. */
  readonly demoArticle: string;
  /** The output on stdout so far, which includes the log. */
  printed(): string;
  /** The log on stdout so far. */
  log(): string;
  /** Sends the signal and waits until the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Stopped>;
}

/** What a terminal shows last, and the line of JSON that is printed elsewhere. */
const WELCOMED = /^(?:curl |Only trusted documents ).*\n/mu;
const LISTENING = /^\{.*"message":"listening".*\n/mu;

/** The URL and the token that were printed, or whose file was. */
function readAnnouncement(stdout: string, terminal: boolean): { readonly url: string; readonly token: string } {
  if (terminal) {
    const token = /^API token: (\S+)$/mu.exec(stdout)?.[1] ?? '';
    return { url: /http\S+\/graphql/u.exec(stdout)?.[0] ?? '', token };
  }
  const { url, tokenFile } = JSON.parse(LISTENING.exec(stdout)?.[0] ?? '{}');
  return { url, token: tokenFile === undefined ? '' : readFileSync(tokenFile, 'utf8').trim() };
}

/** Starts `serve` on a free port, and resolves once it has printed its address. */
export async function startGatewayProcess(surroundings: Surroundings): Promise<RunningGateway> {
  const { terminal = false } = surroundings;
  const child = spawnGateway(['serve'], surroundings);
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = exitOf(child).then((code): Stopped => ({ code, stdout, stderr, log: logIn(stdout) }));
  const printed = new Promise<void>((done) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
      if ((terminal ? WELCOMED : LISTENING).test(stdout)) done();
    });
  });
  const early = await Promise.race([printed, ended]);
  if (early) throw new Error(`serve ended with ${early.code}: ${early.stderr}${early.log}`);
  return {
    pid: child.pid ?? 0,
    ...readAnnouncement(stdout, terminal),
    command: /^curl .*$/mu.exec(stdout)?.[0] ?? '',
    demoArticle: demoKnowledgeBase.articles[0]?.id ?? '',
    printed: () => stdout,
    log: () => logIn(stdout),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs a command in a shell, and returns its output. */
export async function paste(command: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const assignments = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const child = spawn('sh', ['-c', [...assignments, command].join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  if (code !== 0) throw new Error(`the command ended with ${code}: ${stderr}`);
  return stdout;
}

/** Sends a document of the generated operations; the result has the type of the document. */
export async function ask<Data, Variables>(
  { url, token }: Pick<RunningGateway, 'url' | 'token'>,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: token },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  const { data, errors }: { data: Data; errors?: unknown } = JSON.parse(await response.text());
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
