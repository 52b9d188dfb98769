import { globSync, readFileSync } from 'node:fs';
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
const { scripts, publishConfig, repository } = JSON.parse(readFileSync('package.json', 'utf8'));

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
});
