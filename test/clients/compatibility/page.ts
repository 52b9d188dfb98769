import { CHECKS } from './checks.ts';
import type { LibraryResult } from './run-library.ts';

/** The page as Markdown, from the results of one run. */
export const compatibilityPage = (results: readonly LibraryResult[]): string => `# Compatibility of clients

\`npm run compatibility\` writes this page: it runs each client against a gateway of its own over the demo, and a test fails
where the page is not what the run gives. How a client is set up, and what else it needs, is in [clients.md](../clients.md).

## Versions

${table(
  ['client', 'version', 'setup'],
  results.map(({ name, versions, setup }) => [name, versions.join('<br>'), setup]),
)}
## What was run

The documents are those of
[test/clients/compatibility/documents.graphql](../../test/clients/compatibility/documents.graphql). In every run:

${CHECKS.map(({ title, description }) => `- **${title}**: ${description}\n`).join('')}
${table(
  ['client', ...CHECKS.map(({ title }) => title)],
  results.map(({ name, failures }) => [name, ...CHECKS.map(({ title }) => cell(failures.get(title)))]),
)}
## Types

Apollo Client, urql and graphql-request take their types from one of the others. A program is compiled against the types that
each of these makes:

- **members told apart**: After a comparison of \`__typename\`, TypeScript knows the fields of that member of a union, and
  those of \`MutationError\` in the default case. For Relay, [clients.md](../clients.md#relay) says which documents permit that.
- **contradicting scope refused**: An access scope with two members does not compile. Where it does, the gateway refuses it.

${table(
  ['client', 'members told apart', 'contradicting scope refused'],
  results.flatMap(({ name, types }) =>
    types === null ? [] : [[name, yesOrNo(types.narrowing), yesOrNo(types.refusesContradictingScope)]],
  ),
)}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const cell = (failure: string | undefined): string =>
  failure === undefined ? 'works' : `**fails**: ${oneLine(failure)}`;

const oneLine = (text: string): string => text.split('\n', 1).join('').replaceAll('|', '\\|');

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');
