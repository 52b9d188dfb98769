import { CHECKS } from './checks.ts';
import type { LibraryResult } from './run-library.ts';

/** The page as Markdown, from the results of one run. */
export const compatibilityPage = (results: readonly LibraryResult[]): string => `# Compatibility of clients

\`npm run compatibility\` writes this page: it runs each client against a gateway of its own over the demo, and a test fails
where the page is not what the run gives. [clients.md](../clients.md) says how a client is set up.

## Versions

${table(
  ['client', 'version', 'setup', 'fails at'],
  results.map(({ name, versions, setup, failures }) => [name, versions.join('<br>'), setup, failuresOf(failures)]),
)}
## What was run

With [these documents](../../integrations/test/clients/compatibility/documents.graphql):

${CHECKS.map(({ title, description }) => `- **${title}**: ${description}\n`).join('')}
## Types

Apollo Client, urql and graphql-request take their types from one of these, against whose types a program is compiled:

- **members told apart**: After a comparison of \`__typename\`, TypeScript knows the fields of that member of a union, and
  those of \`MutationError\` in the default case. For Relay this takes [certain documents](../clients.md#relay).
- **contradicting scope refused**: An access scope with two members does not compile. The gateway always refuses it.

${table(
  ['client', 'members told apart', 'contradicting scope refused'],
  results.flatMap(({ name, types }) =>
    types === null ? [] : [[name, yesOrNo(types.narrowing), yesOrNo(types.refusesContradictingScope)]],
  ),
)}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const failuresOf = (failures: LibraryResult['failures']): string =>
  failures.size === 0 ? 'nothing' : [...failures].map(([title, text]) => `**${title}**: ${oneLine(text)}`).join('<br>');

const oneLine = (text: string): string => text.split('\n', 1).join('').replaceAll('|', '\\|');

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');
