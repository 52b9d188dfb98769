import { z } from 'zod';
import { type ArticleUpdateDraft, textKeyOf } from '../../core/articles/bulk-updates.ts';
import { listNames } from '../../core/articles/item-warnings.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf, shorten } from '../../core/base/text.ts';
import { print } from '../../server/process/terminal.ts';
import { EXIT_CODES } from '../command-options.ts';
import { type PreviewPage, sendPages } from './article-pages.ts';
import type { UpdateRow } from './article-rows.ts';
import { type GatewayAnswer, type GatewayClient, MUTATION_ERROR_FIELDS, operation } from './gateway-client.ts';
import type { PublicationInput } from './options.ts';
import type { UpdateRun } from './parts.ts';
import { countTable } from './progress.ts';
import { textDiff } from './text-diff.ts';

const changeShape = z.object({ field: z.string().transform(toPrintable), from: z.unknown(), to: z.unknown() });

const itemShape = z.object({
  articleId: z.string(),
  issues: z.array(z.object({ path: z.array(z.string()), message: z.string() })),
  changes: z.array(changeShape).default([]),
  wouldCreateTranslation: z.boolean().default(false),
});

type PreviewedItem = z.infer<typeof itemShape>;

const noticeShape = z.object({
  description: z.string(),
  code: z.string().nullable(),
  extensionData: z
    .object({ indexes: z.array(z.int()), total: z.int() })
    .nullable()
    .catch(null),
});

type PreviewNotice = z.infer<typeof noticeShape>;

interface PreviewedPage {
  readonly results: readonly PreviewedItem[];
  readonly warnings: readonly PreviewNotice[];
}

const pageShape = z.object({ results: z.array(itemShape), warnings: z.array(noticeShape) });

const previewOf = (name: string, write: string) =>
  operation(
    `mutation ${name}($input: ${write}Input!) {
  result: preview${write}(input: $input) {
    ... on ${write}Preview {
      results { articleId issues { path message } changes { field from to } wouldCreateTranslation }
      warnings { description code extensionData }
    }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
    z.object({ result: pageShape }),
  );

const PREVIEW_PAGE = previewOf('BulkUpdatePreview', 'BulkUpdateArticles');
const PREVIEW_PUBLICATION = previewOf('BulkUpdatePreviewPublication', 'PublishArticles');

/** The most failing rows that are kept and printed last. With `--only-failures` all are printed at once. */
const MAX_LISTED_FAILURES = 1_000;

/**
 * Prints the rows that would change something, page by page, then those that would fail, the warnings, and the numbers of
 * rows. Each row is previewed as the earlier rows of its article leave that.
 */
export async function previewRows(run: UpdateRun): Promise<Result<number, string>> {
  const rows = new PreviewedRows(run.options.onlyFailures);
  const previewed = await forEachPreviewed(run, {
    onRow: (item, row) => rows.add(row, item),
    onWarning: (warning) => rows.warn(warning),
  });
  return previewed.ok ? ok(rows.report()) : err(previewed.error.message);
}

/** The positions of the rows that would change something, or fail, and of those whose preview is uncertain. */
export async function findChangingRows(run: UpdateRun): Promise<GatewayAnswer<readonly number[]>> {
  const changing: number[] = [];
  const previewed = await forEachPreviewed(run, {
    onRow: ({ issues, changes }, { position, after }) => {
      if (issues.length > 0 || changes.length > 0 || after !== null) changing.push(position);
    },
  });
  return previewed.ok ? ok(changing.toSorted((one, other) => one - other)) : previewed;
}

interface PreviewedRow {
  readonly row: UpdateRow;
  /** The position of the row in the file. */
  readonly position: number;
  /** The row before it of the same article that its preview leaves out; null where the preview leaves out none. */
  readonly after: UpdateRow | null;
}

interface PreviewWarning extends Pick<PreviewNotice, 'code' | 'description'> {
  /** The first rows, and the number of all; 0 where the warning names none. */
  readonly rows: readonly Pick<PreviewedRow, 'row' | 'position'>[];
  readonly total: number;
}

interface PreviewUses {
  readonly onRow: (item: PreviewedItem, row: PreviewedRow) => void;
  readonly onWarning?: (warning: PreviewWarning) => void;
}

const forEachPreviewed = (run: UpdateRun, { onRow, onWarning }: PreviewUses): Promise<GatewayAnswer<void>> =>
  sendPages(run.input.rows, async (page) => {
    const previewed = await previewPage(run, page);
    if (!previewed.ok) return previewed;
    const { results, warnings } = previewed.value;
    const { positions, after } = page;
    for (const [index, row] of page.rows.entries()) {
      const item = results[index];
      if (item !== undefined) onRow(item, { row, position: positions[index] ?? 0, after });
    }
    for (const warning of warnings) onWarning?.(warningOf(warning, page));
    return ok(undefined);
  });

/** Previews the rows of a page with what is expected of their articles, and with their publication. */
async function previewPage(
  { client, options: { publication, ifPublished, isPreview } }: UpdateRun,
  page: PreviewPage,
): Promise<GatewayAnswer<PreviewedPage>> {
  const preview: Preview = async (articles) => {
    const { answer } = await client.repeat(PREVIEW_PAGE, JSON.stringify({ input: { ...ifPublished, articles } }));
    if (!answer.ok) return answer;
    const { result } = answer.value;
    return result.results.length === articles.length ? ok(result) : err(INCOMPLETE);
  };
  const previewed = await preview(page.rows.map(withoutRevision));
  if (!previewed.ok) return previewed;
  const { results, warnings } = previewed.value;
  const revised = isPreview ? await previewRevisions(page, results, preview) : ok(null);
  if (!revised.ok) return revised;
  const items = page.rows.flatMap((row, index) => revised.value?.get(row) ?? results[index] ?? []);
  if (publication === null) return ok({ results: items, warnings });
  const published = await previewPublication(client, page, publication);
  if (!published.ok) return published;
  return ok({
    results: withPublications(page, items, published.value.results),
    warnings: [...warnings, ...published.value.warnings],
  });
}

const INCOMPLETE = { kind: 'refused', message: 'The preview lacks rows.', retryAfterMs: 0, issues: [] } as const;

type Preview = (articles: readonly ArticleUpdateDraft[]) => Promise<GatewayAnswer<PreviewedPage>>;

/**
 * The items of the articles of which a row changes something that has a revision. Rows that change nothing are not sent, so
 * that they need none.
 */
async function previewRevisions(
  { rows }: PreviewPage,
  results: readonly PreviewedItem[],
  preview: Preview,
): Promise<GatewayAnswer<ReadonlyMap<UpdateRow, PreviewedItem>>> {
  const changing = new Set(rows.filter((_, index) => (results[index]?.changes.length ?? 0) > 0));
  const revised = new Set(
    rows.flatMap((row) =>
      changing.has(row) && row.update.ifRevision !== undefined ? idKeyOf(row.update.articleId) : [],
    ),
  );
  const asked = rows.filter(({ update }) => revised.has(idKeyOf(update.articleId)));
  const updates = asked.map((row) => (changing.has(row) ? row.update : withoutRevision(row)));
  const page = asked.length === 0 ? null : await preview(updates);
  if (page?.ok === false) return page;
  const { results: items = [] } = page?.value ?? {};
  return ok(new Map(asked.flatMap((row, index) => (items[index] ? [[row, items[index]] as const] : []))));
}

const withoutRevision = ({ update: { ifRevision: _, ...update } }: UpdateRow): ArticleUpdateDraft => update;

/** Previews the publication as if the rows changed nothing. */
async function previewPublication(
  client: GatewayClient,
  { rows }: PreviewPage,
  { userId, message }: PublicationInput,
): Promise<GatewayAnswer<PreviewedPage>> {
  const articles = rows.map(({ update: { articleId, languageCode, versionNumber } }) => ({
    articleId,
    languageCode,
    versionNumber,
  }));
  const { answer } = await client.repeat(PREVIEW_PUBLICATION, JSON.stringify({ input: { articles, userId, message } }));
  return answer.ok ? ok(answer.value.result) : answer;
}

function withPublications(
  { rows }: PreviewPage,
  items: readonly PreviewedItem[],
  published: readonly PreviewedItem[],
): readonly PreviewedItem[] {
  /** The texts that rows of the page make, which the preview of their publication does not know. */
  const made = new Set<string>();
  return items.map((item, index) => {
    const { articleId = '', languageCode } = rows[index]?.update ?? {};
    const key = textKeyOf({ articleId: idKeyOf(articleId), languageCode });
    if (item.wouldCreateTranslation) made.add(key);
    return withPublication(item, made.has(key) ? withoutMissing(published[index]) : published[index]);
  });
}

/** Leaves out that there is no such text, which is an issue of the item as a whole. */
const withoutMissing = (item: PreviewedItem | undefined): PreviewedItem | undefined =>
  item && { ...item, issues: item.issues.filter(({ path }) => !/^\d+$/u.test(path.at(-1) ?? '')) };

/** Both previews report an article that does not exist, so one report is dropped. */
const withPublication = (item: PreviewedItem, published: PreviewedItem | undefined): PreviewedItem => {
  const known = new Set(item.issues.map(({ message }) => message));
  const issues = published?.issues.filter(({ message }) => !known.has(message)) ?? [];
  return { ...item, issues: [...item.issues, ...issues], changes: [...item.changes, ...(published?.changes ?? [])] };
};

function warningOf({ code, description, extensionData }: PreviewNotice, page: PreviewPage): PreviewWarning {
  const rows = (extensionData?.indexes ?? []).flatMap((index) => {
    const row = page.rows[index];
    return row === undefined ? [] : [{ row, position: page.positions[index] ?? 0 }];
  });
  return { code, description, rows, total: extensionData?.total ?? 0 };
}

/** The warnings of which the file was checked before it was sent: see `doubtfulItems`. */
const WARNED_BEFORE: ReadonlySet<string> = new Set(['ITEM_CHANGES_NOTHING', 'TITLE_EMPTY', 'ARTICLE_REPEATED']);

/** The warnings of all pages, each once. */
class PreviewWarnings {
  readonly #found = new Map<string, { readonly rows: Map<number, string>; total: number }>();

  add({ code, description, rows, total }: PreviewWarning): void {
    if (code !== null && WARNED_BEFORE.has(code)) return;
    // The indexes of a page are none of the file.
    const [text = ''] = description.split(/\.? Their indexes: /u);
    const found = this.#found.get(text) ?? { rows: new Map<number, string>(), total: 0 };
    for (const { row, position } of rows) found.rows.set(position, row.place);
    found.total += total;
    this.#found.set(text, found);
  }

  lines(): readonly string[] {
    return [...this.#found].map(([text, { rows, total }]) => {
      const places = [...rows].toSorted(([one], [other]) => one - other).map(([, place]) => place);
      const named = text.replace(/^Items that /u, 'rows that ');
      return `warning: ${toPrintable(named)}${total > 0 ? `: ${listNames(places, total)}.` : ''}\n`;
    });
  }
}

type PreviewedEnd = 'would change' | 'unchanged' | 'would fail';

class PreviewedRows {
  readonly #onlyFailures: boolean;
  readonly #counts: Partial<Record<PreviewedEnd, number>> = { 'would change': 0, unchanged: 0, 'would fail': 0 };
  readonly #unchanged: Positioned[] = [];
  readonly #failures: Positioned[] = [];
  readonly #warnings = new PreviewWarnings();

  constructor(onlyFailures: boolean) {
    this.#onlyFailures = onlyFailures;
  }

  add({ row: { place }, position, after }: PreviewedRow, item: PreviewedItem): void {
    const { end, text } = describe(item);
    const left =
      after === null ? '' : ` (as if ${after.place} and the rows of its article before that changed nothing)`;
    const line = `${place}, ${toPrintable(item.articleId)}${left}: ${text}\n`;
    this.#counts[end] = (this.#counts[end] ?? 0) + 1;
    if (this.#onlyFailures) {
      if (end === 'would fail') print(line);
    } else if (end === 'would change' || (end === 'unchanged' && after !== null)) print(line);
    else if (end === 'unchanged') this.#unchanged.push({ position, text: place });
    else if (this.#failures.length < MAX_LISTED_FAILURES) this.#failures.push({ position, text: line });
  }

  warn(warning: PreviewWarning): void {
    this.#warnings.add(warning);
  }

  /** Prints the failures, the warnings and the numbers, and returns the exit code. */
  report(): number {
    if (this.#unchanged.length > 0) print(`change nothing: ${listNames(inOrder(this.#unchanged))}\n`);
    for (const line of inOrder(this.#failures)) print(line);
    const failing = this.#counts['would fail'] ?? 0;
    if (!this.#onlyFailures && failing > this.#failures.length)
      print(`and ${failing - this.#failures.length} more would fail; with --only-failures, all of them are printed.\n`);
    for (const line of this.#warnings.lines()) print(line);
    print(`${countTable(this.#counts)}Nothing was written.\n`);
    return failing > 0 ? EXIT_CODES.partly : EXIT_CODES.done;
  }
}

interface Positioned {
  readonly position: number;
  readonly text: string;
}

const inOrder = (texts: readonly Positioned[]): readonly string[] =>
  texts.toSorted((one, other) => one.position - other.position).map(({ text }) => text);

function describe({ issues, changes }: PreviewedItem) {
  if (issues.length > 0) {
    const messages = issues.map(({ message }) => toPrintable(message)).join(' ');
    return { end: 'would fail', text: `would fail: ${messages}` } as const;
  }
  if (changes.length === 0) return { end: 'unchanged', text: 'unchanged' } as const;
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

/** A value in one line. */
export const shown = (value: unknown): string => toPrintable(shorten(JSON.stringify(value ?? null), MAX_SHOWN_CHARS));
