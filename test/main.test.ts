import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runGateway } from './support/process.ts';

const run = (...args: string[]) => runGateway(args, { cwd: tmpdir() });

describe('kb-gateway', () => {
  it.each(['--help', '-h'])('prints its commands for %s', async (option) => {
    const { code, stdout, stderr } = await run(option);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of ['[serve]', 'import FILE', 'export FILE', 'print-schema'])
      expect(stdout).toContain(`kb-gateway ${command}`);
  });

  it('names every setting in its help', async () => {
    const { stdout } = await run('--help');
    const settings = readFileSync('src/config.ts', 'utf8').matchAll(/^ {2}(?<name>[A-Z_]+): [zwot]/gmu);
    const names = [...settings].map(({ groups }) => groups?.['name']);
    expect(names).toEqual(expect.arrayContaining(['HOST', 'API_TOKEN', 'UPSTREAM_URL', 'MAX_UPSTREAM_CALLS']));
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ .*\\b${name}\\b`, 'mu'));
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
    [['export', 'backup.db'], 'the FILE of export ends in .json or .json.gz'],
    [['serve', '4000'], 'serve takes nothing after it'],
  ])('refuses %j with the problem, a hint at the help, and exit code 2', async (args, problem) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr).toContain('kb-gateway --help');
  });
});
