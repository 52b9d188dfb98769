import { execFileSync, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';

const FOLDER = 'examples/publish-docs';

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
}

let root: string;
let gateway: RunningGateway;
let job: { readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] };
let runs = 0;

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@kb-gateway.example', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Commands of the machine that runs a job: `kb-gateway` as the package has it, and a `gh` that keeps what it was given. */
async function installCommands(): Promise<void> {
  const commands = {
    'kb-gateway': `exec '${process.execPath}' '${resolve('src/main.ts')}' "$@"`,
    gh: `printf '%s ' "$@" > '${root}/gh.txt' && cp plan.md '${root}/comment.md'`,
  };
  await mkdir(join(root, 'bin'));
  for (const [name, line] of Object.entries(commands)) {
    await writeFile(join(root, 'bin', name), `#!/bin/sh\n${line}\n`);
    await chmod(join(root, 'bin', name), 0o755);
  }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kb-gateway-ci-'));
  await installCommands();
  await mkdir(join(root, 'store'));
  gateway = await startGatewayProcess({ cwd: join(root, 'store') });
  job = parse(await readFile(join(FOLDER, 'publish.yml'), 'utf8')).jobs.publish;
  git(root, 'init', '--bare', '--initial-branch=main', 'origin.git');
  git(root, 'clone', 'origin.git', 'mine');
  git(mine(), 'checkout', '-b', 'main');
  await writeFile(join(mine(), 'README.md'), 'Our docs.\n');
  commit('A repository');
});

afterAll(async () => {
  await gateway.stop();
  await rm(root, { recursive: true });
});

const mine = () => join(root, 'mine');

function commit(message: string): void {
  git(mine(), 'add', '--all');
  git(mine(), 'commit', '--message', message);
  git(mine(), 'push', 'origin', 'HEAD');
}

/** The expressions of the workflow, filled in as GitHub does. */
const filledIn = (value: string, event: string): string =>
  value.replaceAll(/\$\{\{ (?<name>[\w.]+) \}\}/gu, (_all, name: string) => {
    const values: Record<string, string> = {
      'secrets.KB_API_TOKEN': gateway.token,
      'vars.KB_USER_ID': 'team-ines',
      'github.token': 'of-this-run',
      'github.event.number': '7',
      'github.event_name': event,
    };
    return values[name] ?? expect.fail(`the workflow names ${name}`);
  });

/** Runs the steps of the workflow on a checkout of a branch, and returns the exit codes and the output of those that ran. */
async function runWorkflow(event: 'pull_request' | 'push', branch: string) {
  runs += 1;
  const checkout = join(root, `run-${runs}`);
  git(root, 'clone', '--branch', branch, 'origin.git', checkout);
  const env = Object.fromEntries(Object.entries(job.env).map(([name, value]) => [name, filledIn(value, event)]));
  const variables = Object.entries({ ...env, KB_GATEWAY_URL: gateway.url });
  const exports = [
    `export PATH='${join(root, 'bin')}:${dirname(process.execPath)}':"$PATH"`,
    ...variables.map(([name, value]) => `export ${name}='${value}'`),
  ];
  const codes: (number | null)[] = [];
  let output = '';
  for (const { if: condition = '', run } of job.steps) {
    const isOfEvent = condition === '' || condition.includes(`github.event_name == '${event}'`);
    const isDue = !codes.some((code) => code !== 0) || condition.includes('!cancelled()');
    if (run === undefined || run.startsWith('npm install') || !isOfEvent || !isDue) continue;
    const child = spawn('bash', ['-e', '-c', [...exports, filledIn(run, event)].join('\n')], { cwd: checkout });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    codes.push(code);
    output += stdout + stderr;
  }
  return { codes, output };
}

const comment = () => readFile(join(root, 'comment.md'), 'utf8');

async function articles() {
  const query = '{ articles(filter: { text: "pair" }, orderBy: TITLE) { nodes { title status } } }';
  const headers = { 'x-api-token': gateway.token };
  const response = await fetch(`${gateway.url}?query=${encodeURIComponent(query)}`, { headers });
  return JSON.parse(await response.text()).data.articles.nodes;
}

describe('the workflow that publishes from CI', () => {
  it('plans a pull request as a comment, and writes nothing', async () => {
    const before = await articles();
    git(mine(), 'checkout', '-b', 'pairing');
    await cp(join(FOLDER, 'articles'), join(mine(), 'articles'), { recursive: true });
    commit('How to pair');
    expect(await runWorkflow('pull_request', 'pairing')).toEqual({ codes: [0, 0], output: '' });
    expect(await comment()).toContain('1 to create, 0 to translate, 1 to change');
    expect(await readFile(join(root, 'gh.txt'), 'utf8')).toMatch(/^pr comment 7 .*--body-file plan\.md/u);
    expect(await articles()).toEqual(before);
  });

  it('applies what was merged, and commits which file is which article', async () => {
    git(mine(), 'checkout', 'main');
    git(mine(), 'merge', 'pairing');
    git(mine(), 'push', 'origin', 'main');
    const { codes, output } = await runWorkflow('push', 'main');
    expect({ codes, output }).toEqual({
      codes: [0, 0, 0],
      output: expect.stringContaining('published              2'),
    });
    expect(await articles()).toEqual(
      expect.arrayContaining([
        { title: 'Pair a sensor', status: 'PUBLISHED' },
        { title: 'Pair any lamp', status: 'PUBLISHED' },
      ]),
    );
    git(mine(), 'pull', 'origin', 'main');
    expect(git(mine(), 'log', '-1', '--format=%s')).toBe('IDs of new articles\n');
    expect(await readFile(join(mine(), 'articles/kb-gateway.lock.json'), 'utf8')).toContain('pair-a-sensor.md');
  });

  it('does nothing when it runs a second time', async () => {
    const [before, head] = [await articles(), git(join(root, 'origin.git'), 'rev-parse', 'main')];
    const { codes, output } = await runWorkflow('push', 'main');
    expect({ codes, output }).toEqual({
      codes: [0, 0, 0],
      output: expect.stringContaining('unchanged              2'),
    });
    expect(output).toContain('0 to create, 0 to translate, 0 to change, 2 unchanged');
    expect([await articles(), git(join(root, 'origin.git'), 'rev-parse', 'main')]).toEqual([before, head]);
  });

  it('creates nothing twice where the commit of the first run is missing', async () => {
    const before = await articles();
    git(mine(), 'checkout', '-b', 'without-lock', 'pairing');
    git(mine(), 'push', 'origin', 'without-lock');
    expect((await runWorkflow('push', 'without-lock')).codes).toEqual([0, 0, 0]);
    expect(await articles()).toEqual(before);
  });

  it('fails a pull request that would fail, and comments why', async () => {
    git(mine(), 'checkout', '-b', 'broken', 'main');
    await writeFile(join(mine(), 'articles/bad.md'), '---\ntitle: a: b\n---\n');
    commit('A bad title');
    expect((await runWorkflow('pull_request', 'broken')).codes).toEqual([3, 0]);
    expect(await comment()).toContain('Would fail (1)');
  });
});
