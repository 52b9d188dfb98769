import { ASSUMPTIONS } from '../../src/cli/check-service/assumptions.ts';
import { GENERATED, pageOf, table } from './markdown.ts';

const PARTS = [
  ['read', 'The read part'],
  ['write', 'The write part'],
] as const;

const rowsOf = (wanted: 'read' | 'write'): readonly (readonly string[])[] =>
  Object.values(ASSUMPTIONS)
    .filter(({ part }) => part === wanted)
    .flatMap(({ name, expected, otherwise }) => [
      [name, 'as expected', expected],
      ...Object.values(otherwise).map((meaning) => ['', 'otherwise', meaning]),
    ]);

const SCREEN = `\`\`\`text
as expected  languages of lists             Entries have the code of the language that was asked for.
not seen     untranslated articles
otherwise    hidden, left out               Such an update shows a hidden article. Leave KEEP_HIDDEN on, which is its default.

The article 5d0c… is unpublished and hidden. Delete it.
\`\`\``;

export const checkServicePage = (): string =>
  pageOf([
    '# `check-service`',
    GENERATED,
    'What is [publicly known of the service](../service.md) leaves questions open, whose answers may differ from project to project. `kb-gateway check-service` finds them out. The read part needs a token for GET and at most 15 calls. With `--write --category ID --user ID` it also makes one draft in that category, in the name of that team account, hides it first, and goes on only where it stays hidden. The draft ends unpublished and hidden, and its ID is printed, to be deleted.',
    SCREEN,
    '*Not seen* means that the project has nothing that shows it, such as an article without a translation. The exit code is 0 where nothing is otherwise, 3 where something is, or the draft may be shown, and 1 where the check did not run. `--report FILE` writes findings, statuses and the shapes of answers, without any values, so that you can show it to others. For the embedded store, set `UPSTREAM_URL` to the URL of a gateway that serves it; it sends no rate limit.',
    ...PARTS.flatMap(([part, title]) => [
      `## ${title}`,
      table(['line', '', 'what it means, and what to do'], rowsOf(part)),
    ]),
  ]);
