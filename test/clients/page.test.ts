import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/clients.md', 'utf8');

const snippets = [...page.matchAll(/^```(?:ts|json)\n(.*?)^```$/gmsu)].map(([, snippet = '']) => snippet);

const SOURCES = ['integrations/test/clients/**/*.{ts,json}', 'integrations/codegen.ts'];

const files = globSync(SOURCES).map((path) => readFileSync(path, 'utf8'));

describe('the page on client libraries', () => {
  it('has snippets of every library', () => {
    for (const name of ['@apollo/client', '@urql/core', 'graphql-request', 'gql.tada']) {
      expect(snippets.some((snippet) => snippet.includes(`from '${name}'`))).toBe(true);
    }
  });

  it.each(snippets)('shows what the tests run: %#', (snippet) => {
    expect(files.filter((file) => file.includes(snippet))).toHaveLength(1);
  });
});
