import { z } from 'zod';
import { toPrintable } from '../../base/printable.ts';
import { err, ok } from '../../base/result.ts';
import { listNames } from '../../domain/articles/item-warnings.ts';
import { print } from '../terminal.ts';
import { type GatewayAnswer, type GatewayClient, MUTATION_ERROR_FIELDS, operation } from './gateway-client.ts';
import { type PublicationInput, UPDATE_EXITS } from './options.ts';
import { articlesOf, type RowPart, sendParts, type UpdateRun } from './parts.ts';
import { countTable } from './progress.ts';
import { textDiff } from './text-diff.ts';

const changeShape = z.object({ field: z.string().transform(toPrintable), from: z.unknown(), to: z.unknown() });

const itemShape = z.object({
  articleId: z.string(),
  issues: z.array(z.object({ message: z.string() })),
  changes: z.array(changeShape),
});

type PreviewedItem = z.infer<typeof itemShape>;

const previewShape = z.object({ result: z.object({ results: z.array(itemShape) }) });

const PREVIEW_PAGE = operation(
  `mutation BulkUpdatePreview($input: BulkUpdateArticlesInput!) {
  result: previewBulkUpdateArticles(input: $input) {
    ... on BulkUpdateArticlesPreview { results { articleId issues { message } changes { field from to } } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  previewShape,
);

const PREVIEW_PUBLICATION = operation(
  `mutation BulkUpdatePreviewPublication($input: PublishArticlesInput!) {
  result: previewPublishArticles(input: $input) {
    ... on PublishArticlesPreview { results { articleId issues { message } changes { field from to } } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  previewShape,
);

/** The members of a row that name what is published. */
const targetShape = z.object({
  articleId: z.string(),
  languageCode: z.string().nullish(),
  versionNumber: z.int().nullish(),
});

/** An answer has the old and the new texts, so that pages are smaller than the parts of a job. */
const FIRST_PAGE = { maxRows: 500, maxBytes: 1024 ** 2 };

/** Rows that would fail which are kept to be printed last. With `--only-failures` all are printed. */
const MAX_LISTED_FAILURES = 1_000;

/**
 * Prints the rows that would change something, then those that would fail, and the numbers of rows. Each page is
 * previewed as if the ones before it changed nothing.
 */
export async function previewRows({ client, input, options: { onlyFailures, publication } }: UpdateRun) {
  const rows = new PreviewedRows(onlyFailures);
  const previewed = await sendParts(input.rows, FIRST_PAGE, async (page) => {
    const { answer } = await client.repeat(PREVIEW_PAGE, `{"input":{"articles":${articlesOf(page)}}}`);
    if (!answer.ok) return answer;
    const published = publication && (await previewPublication(client, page, publication));
    if (published?.ok === false) return published;
    for (const [index, item] of answer.value.result.results.entries())
      rows.add(page.rows[index]?.place ?? 'a row', withPublication(item, published?.value[index]));
    return ok(true);
  });
  return previewed.ok ? ok(rows.report()) : err(previewed.error.reason.message);
}

/** What publishing would find and change, as if the rows changed nothing. */
async function previewPublication(
  client: GatewayClient,
  { rows }: RowPart,
  { userId, message }: PublicationInput,
): Promise<GatewayAnswer<readonly PreviewedItem[]>> {
  const articles = rows.map(({ json }) => targetShape.parse(JSON.parse(json)));
  const { answer } = await client.repeat(PREVIEW_PUBLICATION, JSON.stringify({ input: { articles, userId, message } }));
  return answer.ok ? ok(answer.value.result.results) : answer;
}

/** Both previews tell of an article that does not exist. */
const withPublication = (item: PreviewedItem, published: PreviewedItem | undefined): PreviewedItem => {
  const known = new Set(item.issues.map(({ message }) => message));
  const issues = published?.issues.filter(({ message }) => !known.has(message)) ?? [];
  return { ...item, issues: [...item.issues, ...issues], changes: [...item.changes, ...(published?.changes ?? [])] };
};

class PreviewedRows {
  readonly #onlyFailures: boolean;
  readonly #counts = { 'would change': 0, unchanged: 0, 'would fail': 0 };
  readonly #unchanged: string[] = [];
  readonly #failures: string[] = [];

  constructor(onlyFailures: boolean) {
    this.#onlyFailures = onlyFailures;
  }

  add(place: string, item: PreviewedItem): void {
    const { end, text } = describe(item);
    this.#counts[end] += 1;
    const line = `${place}, ${toPrintable(item.articleId)}: ${text}\n`;
    if (this.#onlyFailures) {
      if (end === 'would fail') print(line);
    } else if (end === 'would change') print(line);
    else if (end === 'unchanged') this.#unchanged.push(place);
    else if (this.#failures.length < MAX_LISTED_FAILURES) this.#failures.push(line);
  }

  /** Prints what is printed last, and gives the exit code. */
  report(): number {
    if (this.#unchanged.length > 0) print(`change nothing: ${listNames(this.#unchanged)}\n`);
    for (const line of this.#failures) print(line);
    const failing = this.#counts['would fail'];
    if (!this.#onlyFailures && failing > this.#failures.length)
      print(`and ${failing - this.#failures.length} more would fail; with --only-failures, all of them are printed.\n`);
    print(`${countTable(this.#counts)}Nothing was written.\n`);
    return failing > 0 ? UPDATE_EXITS.notAllUpdated : UPDATE_EXITS.done;
  }
}

function describe({ issues, changes }: PreviewedItem) {
  if (issues.length > 0) {
    const messages = issues.map(({ message }) => toPrintable(message)).join(' ');
    return { end: 'would fail', text: `would fail: ${messages}` } as const;
  }
  if (changes.length === 0) return { end: 'unchanged', text: '' } as const;
  const short = changes.filter((change) => !isLongText(change)).map(describeShort);
  const long = changes.filter(isLongText).map(describeLong);
  const text = [...(short.length > 0 ? [short.join('; ')] : []), ...long].join('\n  ');
  return { end: 'would change', text } as const;
}

/** Characters of a value that are shown whole, or cut where it is no text. */
const MAX_SHOWN_CHARS = 60;

type Change = z.infer<typeof changeShape>;

const isLongText = ({ from, to }: Change): boolean =>
  [from, to].some((text) => typeof text === 'string' && (text.length > MAX_SHOWN_CHARS || /[\r\n]/u.test(text)));

/** The old and the new value. */
const describeShort = ({ field, from, to }: Change): string => `${field} ${shown(from)} -> ${shown(to)}`;

/** The lines that differ, below the name of the field. */
function describeLong({ field, from, to }: Change): string {
  const lines = textDiff(String(from ?? ''), String(to ?? ''));
  return [field, ...(lines.length > 0 ? lines : ['differs in the ends of its lines only'])].join('\n    ');
}

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return toPrintable(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text);
}
