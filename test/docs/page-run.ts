import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import type { PageStep } from './page-steps.ts';

/** The address of the gateway in the pages, and their words for the ID of the job that they submitted before. */
const SHOWN_ORIGIN = 'http://127.0.0.1:4000';
const SHOWN_JOB = 'the ID of the job';

interface Reader {
  readonly folder: string;
  /** The gateway that runs. A page that says `npm start` again has it start again. */
  gateway: RunningGateway;
}

/** Follows a page from its beginning, over a demo of its own, and returns what each step printed or answered. */
export async function followPage(steps: readonly PageStep[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-page-'));
  await installCommand(folder);
  const reader: Reader = { folder, gateway: await startGatewayProcess({ cwd: folder }) };
  const answers: string[] = [];
  try {
    for (const step of steps) answers.push(await follow(step, reader, answers));
  } finally {
    await reader.gateway.stop();
    await rm(folder, { recursive: true });
  }
  return answers;
}

/** Puts `kb-gateway`, as the package has it, into the folder of the reader, which is a repository that can be pushed. */
async function installCommand(folder: string): Promise<void> {
  const command = join(folder, 'bin/kb-gateway');
  await mkdir(dirname(command));
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/main.ts')}' "$@"\n`);
  await chmod(command, 0o755);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '--bare', 'origin.git');
  git('init');
  git('remote', 'add', 'origin', 'origin.git');
  git('config', 'push.default', 'current');
}

async function follow(step: PageStep, reader: Reader, before: readonly string[]): Promise<string> {
  switch (step.kind) {
    case 'file':
      await mkdir(dirname(join(reader.folder, step.name)), { recursive: true });
      await writeFile(join(reader.folder, step.name), step.text);
      return '';
    case 'commands':
      if (/^npm start$/mu.test(step.text)) {
        await reader.gateway.stop();
        reader.gateway = await startGatewayProcess({ cwd: reader.folder });
      }
      return runCommands(step.text, reader);
    case 'operation':
      return send(step.text, JSON.parse(step.variables.replaceAll(SHOWN_JOB, jobIn(before))), reader.gateway);
  }
}

const jobIn = (answers: readonly string[]): string =>
  answers.map((answer) => /"job":\{"id":"(?<id>[^"]+)"/u.exec(answer)?.groups?.['id']).find(Boolean) ?? '';

async function send(query: string, variables: object, { url, token }: RunningGateway): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-api-token': token };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  return response.text();
}

/** Commands of npm are left out: test/docs/commands.long.test.ts runs them, as the README has them, too. */
const withoutNpm = (commands: string): string => commands.replaceAll(/^.*\bnpm .*$/gmu, '');

async function runCommands(commands: string, { folder, gateway }: Reader): Promise<string> {
  const { origin } = new URL(gateway.url);
  const script = [
    'set -eu',
    `export PATH='${join(folder, 'bin')}:${dirname(process.execPath)}':"$PATH"`,
    `export KB_GATEWAY_URL='${gateway.url}' KB_API_TOKEN='${gateway.token}' GITHUB_SHA=of-this-commit KB_USER_ID=team-ines`,
    `export ${['AUTHOR', 'COMMITTER'].map((who) => `GIT_${who}_NAME=docs GIT_${who}_EMAIL=docs@kb-gateway.example`).join(' ')}`,
    withoutNpm(commands).replaceAll(SHOWN_ORIGIN, origin),
  ].join('\n');
  const child = spawn('sh', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${commands} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}
