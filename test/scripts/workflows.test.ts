import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >;
}

const workflows = globSync('.github/workflows/*').map((file) => [file, readFileSync(file, 'utf8')] as const);
const { scripts, publishConfig, repository, version } = JSON.parse(readFileSync('package.json', 'utf8'));

describe.each(workflows)('%s', (_file, text) => {
  const workflow: Workflow = parse(text);
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it('names each action by its commit, with its version beside it', () => {
    const actions = [...text.matchAll(/uses: (?<action>.*)$/gmu)].map(({ groups }) => groups?.['action']);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+/u);
  });

  it('runs commands that exist', () => {
    const commands = steps.flatMap((step) => [step.run ?? '', ...Object.values(step.with ?? {})]).map(String);
    const names = commands.flatMap((command) => /^npm run (?<name>\S+)/u.exec(command)?.groups?.['name'] ?? []);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('grants a write to single jobs only', () => {
    expect(Object.values(workflow.permissions).filter((level) => level === 'write')).toEqual([]);
  });
});

describe('the release', () => {
  it('has what provenance needs', () => {
    const release: Workflow = parse(readFileSync('.github/workflows/release.yaml', 'utf8'));
    expect(release.jobs['release']?.permissions?.['id-token']).toBe('write');
    expect(publishConfig).toEqual({ access: 'public', provenance: true });
    expect(repository.url).toMatch(/^git\+https:/u);
  });

  it('has the files of the schema, which lie in the repository', () => {
    const { jobs }: Workflow = parse(readFileSync('.github/workflows/release.yaml', 'utf8'));
    const [upload = ''] =
      jobs['release']?.steps.flatMap(({ run }) => run ?? []).filter((run) => run.startsWith('gh')) ?? [];
    const files = upload.split(' ').slice(-2);
    expect(files).toEqual(['schema.graphql', 'possible-types.json']);
    expect(files.every((file) => existsSync(file))).toBe(true);
  });

  it('gives the image its version', () => {
    expect(scripts['release:version']).toContain(
      'npm run changeset -- version && npm run schema:release && node scripts/image-version.ts',
    );
    const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-image-version-'));
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3-next.0" }');
    cpSync('Dockerfile', join(folder, 'Dockerfile'));
    execFileSync(process.execPath, [resolve('scripts/image-version.ts')], { cwd: folder });
    const changed = readFileSync(join(folder, 'Dockerfile'), 'utf8');
    rmSync(folder, { recursive: true });
    expect(changed).toContain('image.version="1.2.3-next.0"');
    expect(changed.replace('1.2.3-next.0', version)).toBe(readFileSync('Dockerfile', 'utf8'));
  });
});
