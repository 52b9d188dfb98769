import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from './support/old-node.ts';
import { runGateway } from './support/process.ts';

const run = (...args: string[]) => runGateway(args, { cwd: tmpdir() });

describe('kb-gateway', () => {
  it.each(['--help', '-h'])('prints its commands for %s', async (option) => {
    const { code, stdout, stderr } = await run(option);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of ['import FILE', 'export FILE', 'backup FILE', 'print-schema'])
      expect(stdout).toContain(`main.ts ${command}`);
    expect(stdout).toMatch(/^ +node \S+main\.ts --help$/mu);
    expect(stdout).toMatch(/"node \S+main\.ts serve --config-check" prints/u);
  });

  it('names a Node that cannot run the sources, before that Node reads them', async () => {
    const pretended = join(tmpdir(), `kb-gateway-old-node-${process.pid}.cjs`);
    writeFileSync(pretended, 'Object.defineProperty(process.versions, "node", { value: "20.20.2" });');
    onTestFinished(() => rmSync(pretended));
    const args = ['--require', pretended, '--require', resolve('scripts/node-version.cjs')];
    const { code, stdout, stderr } = await runCommand(`'${process.execPath}' ${args.join(' ')} src/main.ts --version`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^kb-gateway needs Node 24; this is 20\.20\.2\nnpm install .*\n$/u);
  });

  it('names a Node that is too old to a program that imports createGateway', { tags: 'long' }, async () => {
    const pretended = "Object.defineProperty(process.versions, 'node', { value: '22.23.3' })";
    const program = `${pretended}; await import('./src/index.ts').catch((error) => console.log(String(error)))`;
    const { stdout } = await runCommand(`'${process.execPath}' --input-type=module --eval "${program}"`);
    expect(stdout).toBe('Error: kb-gateway needs Node 24; this is 22.23.3\n');
  });

  it('is run by each npm script with a check of the Node', { tags: 'long' }, () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const runs = Object.values<string>(scripts).filter((script) => /(?:src|examples)\/\S+\.ts/u.test(script));
    expect(runs.length).toBeGreaterThan(4);
    for (const script of runs) expect(script).toMatch(/^node --require \.\/scripts\/node-version\.cjs /u);
  });

  it('is run by npm scripts that take settings with those of .env, which the environment overrides', {
    tags: 'long',
  }, async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of ['start', 'dev', 'import', 'export', 'backup'])
      expect(scripts[name]).toContain(' --require ./scripts/env-file.cjs ');
    const cwd = mkdtempSync(join(tmpdir(), 'kb-gateway-env-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const args = `--require ${resolve('scripts/env-file.cjs')} ${resolve('src/main.ts')} --config-check`;
    const check = () => runCommand(`cd ${cwd} && HOST=localhost '${process.execPath}' ${args}`);
    expect((await check()).stdout).toMatch(/^# set:\nHOST=localhost\n\n# default:\n(?:.*\n)*PORT=4000$/mu);
    for (const text of ['# mine\nHOST=0.0.0.0\nPORT=4321\n', '\uFEFFPORT=4321\r\nHOST=0.0.0.0']) {
      writeFileSync(join(cwd, '.env'), text);
      expect((await check()).stdout).toMatch(/^HOST=localhost\nPORT=4321$/mu);
    }
    writeFileSync(join(cwd, '.env'), '\uFEFFPORT=4321\n', 'utf16le');
    expect(await check()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.env cannot be read: it is not UTF-8'),
    });
    rmSync(join(cwd, '.env'));
    mkdirSync(join(cwd, '.env'));
    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^kb-gateway: the file \.env /u) });
  });

  it('is run by npm run dev like by npm start, and again when a source changes', { tags: 'long' }, () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(scripts.dev).toBe(scripts.start.replace(' src/main.ts', ' --watch src/main.ts'));
  });

  it('has its exit codes in its help', async () => {
    const { stdout } = await run('--help');
    for (const code of [0, 1, 2]) expect(stdout).toMatch(new RegExp(`^ {2}${code} {2}\\w`, 'mu'));
  });

  it.each(['--version', '-v'])('prints the version of the package for %s', async (option) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await run(option)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('prints the content of schema.graphql', async () => {
    const schema = readFileSync('schema.graphql', 'utf8');
    expect(await run('print-schema')).toEqual({ code: 0, stdout: schema, stderr: '' });
  });

  it.each([
    [['dance'], 'there is no command "dance"'],
    [['--dance'], "Unknown option '--dance'"],
    [['import'], 'import takes one FILE'],
    [['import', 'a.json', 'b.json'], 'import takes one FILE'],
    [['export'], 'export takes one FILE'],
    [['import', 'a.json', '--port', '1'], '--port is no option of import'],
    [['bulk-update'], 'bulk-update takes one FILE'],
    [['backup'], 'backup takes one FILE'],
    [['serve', '4000'], 'serve takes nothing after it'],
  ])('refuses %j with the problem, a hint at the help, and exit code 2', async (args, problem) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr).toMatch(/^node .*main\.ts --help lists the commands and options\.$/mu);
  });
});
