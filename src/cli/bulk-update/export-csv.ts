import { isSettableStatus } from '../../core/articles/articles.ts';
import type { ArticleUpdateDraft } from '../../core/articles/bulk-updates.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { MAX_CELL_CHARS } from '../../core/sheets/sheet-rows.ts';
import { csvLine, isIgnoredColumn } from '../../core/sheets/spreadsheet-cells.ts';
import { print } from '../../server/process/terminal.ts';
import { documentBytes, type ExportedArticle, type KnowledgeBaseEntries } from '../../store/knowledge-base/document.ts';
import { type ImportedArticle, type ImportedVersion, TRANSLATION_STATUSES } from '../../store/knowledge-base/format.ts';
import { commandLine } from '../command-line.ts';
import type { CommandOptions, Variables } from '../command-options.ts';
import { exportTo, openSource } from '../knowledge-base/export.ts';
import type { NewFile } from '../knowledge-base/new-file.ts';
import { type ColumnMapping, columnProblems, parseColumns } from './article-rows.ts';
import { MAX_INPUT_BYTES } from './input-rows.ts';

interface StoredText {
  readonly article: ExportedArticle;
  readonly version: ImportedVersion;
}

/** Gives the cell of each field, '' for a value that no update can set. Null for a field that no read returns. */
const CELLS = {
  articleId: ({ article }) => article.id,
  languageCode: ({ version }) => version.lang_code,
  title: ({ version }) => version.title,
  content: ({ version }) => version.content ?? '',
  htmlContent: null,
  categoryId: ({ article }) => article.category_id ?? '',
  hidden: ({ article }) => article.hidden,
  versionNumber: ({ version }) => version.version_number,
  ifRevision: ({ article, version }) => article.revisions?.get(version.lang_code) ?? '',
  translationStatus: ({ version: { translation_option: option } }) => {
    const status = option == null ? '' : TRANSLATION_STATUSES[option];
    return isSettableStatus(status) ? status : '';
  },
  source: null,
  order: ({ article }) => article.order ?? '',
} satisfies Record<keyof ArticleUpdateDraft, ((text: StoredText) => unknown) | null>;

/** The columns of an export without `--columns`: those that people edit in a sheet, without the texts. */
const DEFAULT_COLUMNS = 'articleId,languageCode,title,categoryId,hidden,translationStatus,order,revision';

type Column = readonly [name: string, cellOf: (text: StoredText) => unknown];

interface CsvShape {
  readonly columns: readonly Column[];
  readonly isForSpreadsheet: boolean;
}

/** Exports the articles of the embedded store or the service to a new CSV file, which `bulk-update` reads: all or nothing. */
export async function exportCsv(
  path: string,
  options: CommandOptions,
  variables: Variables,
): Promise<Result<void, string>> {
  if (!/\.csv$/iu.test(path)) return err('the FILE of export --csv ends in .csv.');
  const mapping = parseColumns(options.columns ?? DEFAULT_COLUMNS);
  const columns = mapping.ok ? columnsOf(mapping.value) : mapping;
  if (!columns.ok) return columns;
  const shape = { columns: columns.value, isForSpreadsheet: options['for-spreadsheet'] ?? false };
  const isTextMissing =
    options['from-service'] && !options.texts && columns.value.some(([, cellOf]) => cellOf === CELLS.content);
  if (isTextMissing) return err('--columns: content needs --texts, which reads each text by a call of its own.');
  const open = () => openSource(path, { ...options, asRows: true }, variables);
  const exported = await exportTo(path, open, (source, file) =>
    source.read(({ articles }) => writeRows(file, articles, shape)),
  );
  if (!exported.ok) return err(`nothing was exported to ${toPrintable(path)}: ${exported.error}`);
  const mapped = options.columns?.includes('=') ? ['--columns', options.columns] : [];
  const { rows, withoutRevision, cut } = exported.value;
  print(`${toPrintable(path)} has ${rows} rows.\n`);
  if (withoutRevision > 0) print(`${withoutRevision} ${NO_REVISION}\n`);
  if (cut > 0) print(`${cut} ${CUT}\n`);
  print(
    `To see what the file would change once you have edited it: ${commandLine('bulk-update', variables, [path, '--preview', ...mapped])}\n`,
  );
  return ok(undefined);
}

const NO_REVISION =
  'rows have no revision, since nothing tells when their articles were changed last: bulk-update overwrites what others have changed there meanwhile.';
const CUT = `texts have ${MAX_CELL_CHARS} characters or more, which no cell of a spreadsheet holds: edit them elsewhere.`;

interface ExportCounts {
  rows: number;
  withoutRevision: number;
  /** The cells that a spreadsheet would cut. */
  cut: number;
}

/** Each row needs the article and the language that it is about. */
function columnsOf(named: ColumnMapping): Result<readonly Column[], string> {
  const fields = new Set(named.values());
  const missing = ['articleId', 'languageCode'].filter((field) => !fields.has(field));
  const mapping = new Map([...missing.map((field) => [field, field] as const), ...named]);
  const [problem] = columnProblems([...mapping.keys()], mapping);
  if (problem !== undefined) return err(`--columns: ${problem}`);
  const columns: Column[] = [];
  for (const [name, field] of mapping) {
    const cellOf = Object.entries(CELLS).find(([other]) => other === field)?.[1];
    if (isIgnoredColumn(name)) return err(`--columns: bulk-update ignores the column "${toPrintable(name)}".`);
    if (cellOf == null)
      return err(`--columns: ${field ?? `"${toPrintable(name)}"`} is nothing that can be read; content has each text.`);
    columns.push([name, cellOf]);
  }
  return ok(columns);
}

/** Writes a row for the latest version of each article in each language, and gives the number of rows. */
async function writeRows(
  file: NewFile,
  articles: KnowledgeBaseEntries['articles'],
  { columns, isForSpreadsheet }: CsvShape,
): Promise<Result<ExportCounts, string>> {
  const counts: ExportCounts = { rows: 0, withoutRevision: 0, cut: 0 };
  const asksRevision = columns.some(([, cellOf]) => cellOf === CELLS.ifRevision);
  async function* lines(): AsyncGenerator<string> {
    // Spreadsheets recognize UTF-8 by this byte order mark alone.
    if (isForSpreadsheet) yield '\ufeff';
    for await (const article of articles) {
      for (const version of latestVersions(article)) {
        const text = { article, version };
        const members = Object.fromEntries(columns.map(([name, cellOf]) => [name, String(cellOf(text))]));
        yield csvLine(members, { isFirst: counts.rows === 0, isForSpreadsheet });
        counts.rows += 1;
        counts.cut += Object.values(members).filter((cell) => cell.length >= MAX_CELL_CHARS).length;
        if (asksRevision && CELLS.ifRevision(text) === '') counts.withoutRevision += 1;
      }
    }
  }
  const written = await file.write(documentBytes(lines(), MAX_INPUT_BYTES));
  if (!written.ok) return written;
  if (counts.rows === 0) return err('there are no articles.');
  const published = await file.publish();
  return published.ok ? ok(counts) : published;
}

function latestVersions({ versions }: ImportedArticle): Iterable<ImportedVersion> {
  const latest = new Map<string, ImportedVersion>();
  for (const version of versions) {
    const { lang_code: language, version_number: number } = version;
    if (number > (latest.get(language)?.version_number ?? 0)) latest.set(language, version);
  }
  return latest.values();
}
