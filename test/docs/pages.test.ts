import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blocksOf, stepsOf } from './page-steps.ts';
import { FOLLOWED_PAGES } from './pages.ts';

const pages = FOLLOWED_PAGES.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Code that tests run. */
const sources = globSync([
  'console/src/**/*.{ts,tsx,graphql}',
  'examples/publish-docs/*.yml',
  'examples/react-page/*.{ts,tsx,graphql}',
  'integrations/examples/*/*.{ts,tsx}',
  'test/clients/*.graphql',
  'integrations/test/clients/relay/*',
]).map((path) => readFileSync(path, 'utf8'));

const snippets = pages.flatMap(({ path, text }) => {
  const answers = stepsOf(text).map((step) => (step.kind === 'file' ? undefined : step.answer?.text));
  return blocksOf(text)
    .filter(({ language, note }) => ['ts', 'tsx', 'json', 'graphql', 'yaml'].includes(language) && note === '')
    .filter((block) => block.language !== 'graphql' || block.text.startsWith('fragment'))
    .filter((block) => !answers.includes(block.text))
    .map((block) => [path, block.text] as const);
});

describe('the pages that people follow', () => {
  it('are found, each with steps and the concepts with pictures', () => {
    expect(pages.map(({ path }) => path)).toContain('docs/recipes/from-rest.md');
    for (const { path, text } of pages) {
      expect([path, stepsOf(text).length > 0]).toEqual([path, true]);
      expect([path, text.includes('```mermaid\n')]).toEqual([path, path.startsWith('docs/concepts/')]);
    }
  });

  it.each(snippets)('show code that tests run: %s, %#', (_path, snippet) => {
    expect(sources.filter((source) => source.includes(snippet)).length).toBeGreaterThan(0);
  });
});

describe('the folder of the recipe that publishes from CI', () => {
  it('has the files that the recipe shows', () => {
    const steps = stepsOf(readFileSync('docs/recipes/publish-from-ci.md', 'utf8'));
    const shown = steps.flatMap((step) => (step.kind === 'file' ? [[step.name, step.text]] : []));
    const there = globSync('examples/publish-docs/articles/*').map((path) => [
      path.slice('examples/publish-docs/'.length),
      readFileSync(path, 'utf8'),
    ]);
    expect(there.sort()).toEqual(shown.sort());
  });
});

describe('the steps of a page', () => {
  it('are its operations, commands and files in their order, each with its answer', () => {
    const page = [
      'Ask:\n\n```graphql\nquery A { a }\n```\n\n```json variables\n{ "b": 1 }\n```\n\n```json\n{ "c": 2 }\n```',
      '```csv rows.csv\nd\n```\n\n```sh\ncat rows.csv\n```\n\n```text\nd\n```\n\n```json\n{ "not": "an answer" }\n```',
      '```graphql\nfragment F on A { a }\n```',
    ].join('\n\n');
    expect(stepsOf(page)).toEqual([
      {
        kind: 'operation',
        text: 'query A { a }\n',
        variables: '{ "b": 1 }\n',
        answer: { language: 'json', note: '', text: '{ "c": 2 }\n' },
      },
      { kind: 'file', text: 'd\n', name: 'rows.csv' },
      { kind: 'commands', text: 'cat rows.csv\n', answer: { language: 'text', note: '', text: 'd\n' } },
    ]);
  });
});
