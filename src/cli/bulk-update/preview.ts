import { z } from 'zod';
import { textKeyOf } from '../../core/articles/bulk-updates.ts';
import { listNames } from '../../core/articles/item-warnings.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { HashedTexts } from '../../core/sheets/shared-values.ts';
import { print } from '../../server/process/terminal.ts';
import type { UpdateRow } from './article-rows.ts';
import { type GatewayAnswer, type GatewayClient, MUTATION_ERROR_FIELDS, operation } from './gateway-client.ts';
import { type PublicationInput, UPDATE_EXITS } from './options.ts';
import { articlesOf, type RowPart, sendParts, type UpdateRun } from './parts.ts';
import { countTable } from './progress.ts';
import { textDiff } from './text-diff.ts';

const changeShape = z.object({ field: z.string().transform(toPrintable), from: z.unknown(), to: z.unknown() });

const itemShape = z.object({
  articleId: z.string(),
  issues: z.array(z.object({ path: z.array(z.string()), message: z.string() })),
  changes: z.array(changeShape).default([]),
});

type PreviewedItem = z.infer<typeof itemShape>;

const previewShape = z.object({ result: z.object({ results: z.array(itemShape) }) });

const previewOf = (name: string, write: string, fields: string) =>
  operation(
    `mutation ${name}($input: ${write}Input!) {
  result: preview${write}(input: $input) {
    ... on ${write}Preview { results { ${fields} } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
    previewShape,
  );

const ITEM_FIELDS = 'articleId issues { path message } changes { field from to }';
const PREVIEW_PAGE = previewOf('BulkUpdatePreview', 'BulkUpdateArticles', ITEM_FIELDS);
const PREVIEW_PUBLICATION = previewOf('BulkUpdatePreviewPublication', 'PublishArticles', ITEM_FIELDS);
/** The members of a row that name what is published. */
const targetShape = z.object({
  articleId: z.string(),
  languageCode: z.string().nullish(),
  versionNumber: z.int().nullish(),
});

/** The limits of a page. They are lower than those of a job's parts, since an answer has the old and the new texts. */
const FIRST_PAGE = { maxRows: 500, maxBytes: 1024 ** 2 };

/** The most failing rows that are kept and printed last. With `--only-failures` all are printed at once. */
const MAX_LISTED_FAILURES = 1_000;

/**
 * Prints the rows that would change something, then those that would fail, and the numbers of rows. Each page is
 * previewed as if the earlier ones changed nothing.
 */
export async function previewRows(run: UpdateRun): Promise<Result<number, string>> {
  const rows = new PreviewedRows(run.options.onlyFailures);
  const previewed = await forEachPreviewed(run, (item, row) => rows.add(row, item));
  return previewed.ok ? ok(rows.report()) : err(previewed.error.message);
}

/**
 * The positions of the rows that would change something, or fail, and of those whose text an earlier page changes: they were
 * previewed without that change.
 */
export async function findChangingRows(run: UpdateRun): Promise<GatewayAnswer<readonly number[]>> {
  const changing: number[] = [];
  const changed = new HashedTexts();
  const previewed = await forEachPreviewed(run, ({ issues, changes }, row, { index, startIndex }) => {
    const key = textKeyOf(row.update);
    const isAlone = (changed.get(key) ?? startIndex) >= startIndex;
    if (issues.length === 0 && changes.length === 0 && isAlone) return;
    changing.push(index);
    changed.put(key, index);
  });
  return previewed.ok ? ok(changing) : previewed;
}

interface PreviewedPosition {
  /** The position of the row in the file. */
  readonly index: number;
  /** That of the first row of its page. */
  readonly startIndex: number;
}

async function forEachPreviewed(
  { client, input, options: { publication, ifPublished, isPreview } }: UpdateRun,
  use: (item: PreviewedItem, row: UpdateRow, position: PreviewedPosition) => void,
): Promise<GatewayAnswer<void>> {
  const rule = ifPublished === null ? '' : `${JSON.stringify(ifPublished).slice(1, -1)},`;
  const preview: Preview = async ({ length }, articles) => {
    const { answer } = await client.repeat(PREVIEW_PAGE, `{"input":{${rule}"articles":${articles}}}`);
    if (!answer.ok) return answer;
    const { results } = answer.value.result;
    return results.length === length ? ok(results) : err(INCOMPLETE);
  };
  const sent = await sendParts(input.rows, FIRST_PAGE, async (page) => {
    const previewed = await preview(page.rows, withoutRevisions(page));
    if (!previewed.ok) return previewed;
    const results = previewed.value;
    const revised = isPreview ? await previewRevisions(page, results, preview) : ok(null);
    if (!revised.ok) return revised;
    const published = publication && (await previewPublication(client, page, publication));
    if (published?.ok === false) return published;
    for (const [index, row] of page.rows.entries()) {
      const item = revised.value?.get(row) ?? results[index];
      if (item === undefined) continue;
      use(withPublication(item, published?.value[index]), row, {
        index: page.startIndex + index,
        startIndex: page.startIndex,
      });
    }
    return ok(true);
  });
  return sent.ok ? sent : err(sent.error.reason);
}

const INCOMPLETE = { kind: 'refused', message: 'The preview lacks rows.', retryAfterMs: 0, issues: [] } as const;

/** Previews updates, which are also there as JSON. */
type Preview = (rows: readonly UpdateRow[], articles: string) => Promise<GatewayAnswer<readonly PreviewedItem[]>>;

/** The items of the rows that change something where their articles have the expected revisions: others need none. */
async function previewRevisions(
  page: RowPart,
  results: readonly PreviewedItem[],
  preview: Preview,
): Promise<GatewayAnswer<ReadonlyMap<UpdateRow, PreviewedItem>>> {
  const rows = page.rows.filter(
    ({ update }, index) => update.ifRevision !== undefined && (results[index]?.changes.length ?? 0) > 0,
  );
  const items = rows.length === 0 ? ok([]) : await preview(rows, articlesOf({ ...page, rows }));
  if (!items.ok) return items;
  return ok(new Map(rows.flatMap((row, index) => (items.value[index] ? [[row, items.value[index]] as const] : []))));
}

const withoutRevisions = ({ rows }: RowPart): string =>
  JSON.stringify(rows.map(({ update: { ifRevision: _, ...update } }) => update));

/** Previews the publication as if the rows changed nothing. */
async function previewPublication(
  client: GatewayClient,
  { rows }: RowPart,
  { userId, message }: PublicationInput,
): Promise<GatewayAnswer<readonly PreviewedItem[]>> {
  const articles = rows.map(({ json }) => targetShape.parse(JSON.parse(json)));
  const { answer } = await client.repeat(PREVIEW_PUBLICATION, JSON.stringify({ input: { articles, userId, message } }));
  return answer.ok ? ok(answer.value.result.results) : answer;
}

/** Both previews report an article that does not exist, so one report is dropped. */
const withPublication = (item: PreviewedItem, published: PreviewedItem | undefined): PreviewedItem => {
  const known = new Set(item.issues.map(({ message }) => message));
  const issues = published?.issues.filter(({ message }) => !known.has(message)) ?? [];
  return { ...item, issues: [...item.issues, ...issues], changes: [...item.changes, ...(published?.changes ?? [])] };
};

type PreviewedEnd = 'would change' | 'unchanged' | 'would fail';

class PreviewedRows {
  readonly #onlyFailures: boolean;
  readonly #counts: Partial<Record<PreviewedEnd, number>> = { 'would change': 0, unchanged: 0, 'would fail': 0 };
  readonly #unchanged: string[] = [];
  readonly #failures: string[] = [];

  constructor(onlyFailures: boolean) {
    this.#onlyFailures = onlyFailures;
  }

  add(row: UpdateRow | undefined, item: PreviewedItem): void {
    const { end, text } = describe(item);
    const line = `${row?.place ?? 'a row'}, ${toPrintable(item.articleId)}: ${text}\n`;
    this.#counts[end] = (this.#counts[end] ?? 0) + 1;
    if (this.#onlyFailures) {
      if (end === 'would fail') print(line);
    } else if (end === 'would change') print(line);
    else if (end === 'unchanged') this.#unchanged.push(row?.place ?? 'a row');
    else if (this.#failures.length < MAX_LISTED_FAILURES) this.#failures.push(line);
  }

  /** Prints the failures and the numbers, and returns the exit code. */
  report(): number {
    if (this.#unchanged.length > 0) print(`change nothing: ${listNames(this.#unchanged)}\n`);
    for (const line of this.#failures) print(line);
    const failing = this.#counts['would fail'] ?? 0;
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

/** The most characters of a value that is shown in one line. A longer text is shown as a diff, any other value is cut. */
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
