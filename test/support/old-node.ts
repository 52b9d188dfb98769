import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Finished } from './process.ts';

/** Leaves the Node of the repository out of the PATH, so that `node` is the machine's own, as for a new user. */
const WITHOUT_OUR_NODE = `PATH=$(printf %s "$PATH" | tr : '\\n' | grep -v node_modules/ | paste -s -d : -)`;

type Settings = Readonly<Record<string, string>>;

/** Starts a command in a shell of a new user: in the repository, and in a process group of its own. */
const spawnCommand = (command: string, settings: Settings): ChildProcess => {
  const assignments = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'`);
  const script = [WITHOUT_OUR_NODE, ...assignments, command].join('\n');
  return spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
};

/** Runs a command until it ends. */
export async function runCommand(command: string, settings: Settings = {}): Promise<Finished> {
  const child = spawnCommand(command, settings);
  if (!child.stdout || !child.stderr) throw new Error('the shell has no output');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}

/** Runs a command until its output matches, and then stops it and the processes that it started. */
export async function runUntil(expected: RegExp, command: string, settings: Settings): Promise<string> {
  const child = spawnCommand(command, settings);
  let output = '';
  const ended = once(child, 'close');
  const matched = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        if (expected.test(output)) resolve();
      });
    }
  });
  await Promise.race([matched, ended]);
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await ended;
  return output;
}
