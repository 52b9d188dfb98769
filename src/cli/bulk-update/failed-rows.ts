import { toPrintable } from '../../core/base/printable.ts';
import type { Result } from '../../core/base/result.ts';
import { csvLine } from '../../core/sheets/spreadsheet-cells.ts';
import { writeNewFile } from '../knowledge-base/new-file.ts';
import type { InputRow } from './article-rows.ts';
import type { InputFormat } from './input-rows.ts';
import type { ShownOutcome } from './job.ts';

/** A row that was not updated or not published, as it is in the input, with its outcome. */
export interface FailedRow {
  readonly row: InputRow;
  readonly outcome: ShownOutcome;
}

interface FailedFile {
  readonly path: string;
  readonly format: InputFormat;
  readonly jobId: string;
  /** True where no cell of a CSV may begin a formula, not even one of the input. */
  readonly isForSpreadsheet: boolean;
}

/** Writes rows with their outcomes to a new file of the input's format, which the command reads again. */
export const writeFailedRows = (
  { path, ...options }: FailedFile,
  rows: AsyncIterable<FailedRow>,
): Promise<Result<void, string>> => writeNewFile(path, linesOf(rows, options));

async function* linesOf(
  rows: AsyncIterable<FailedRow>,
  { format, jobId, isForSpreadsheet }: Omit<FailedFile, 'path'>,
): AsyncGenerator<Uint8Array> {
  const lines = LINE_FORMATS[format];
  let isFirst = true;
  for await (const { row, outcome } of rows) {
    const members = { ...row.members, ...ownMembersOf(outcome, jobId) };
    yield Buffer.from(lines.row(members, { isFirst, isForSpreadsheet }));
    isFirst = false;
  }
  yield Buffer.from(lines.end);
}

interface LineFormat {
  readonly row: typeof csvLine;
  readonly end: string;
}

const LINE_FORMATS: Readonly<Record<InputFormat, LineFormat>> = {
  csv: { row: csvLine, end: '' },
  json: { row: (members, { isFirst }) => `${isFirst ? '[' : ','}\n${JSON.stringify(members)}`, end: '\n]\n' },
  ndjson: { row: (members) => `${JSON.stringify(members)}\n`, end: '' },
};

/**
 * The members that the command adds to a row; their names make readers ignore them. The job ID makes the digest differ
 * from that of the input.
 */
const ownMembersOf = (outcome: ShownOutcome, jobId: string) => ({
  _outcome: outcomeName(outcome),
  _reason: reasonOf(outcome),
  _job: jobId,
});

const OUTCOME_NAMES: Readonly<Record<string, string>> = {
  ArticleUpdateFailed: 'FAILED',
  ArticleUpdateUnknown: 'UNKNOWN',
  ArticleUpdateNotAttempted: 'NOT_ATTEMPTED',
};

/** A later gateway may have further types. */
const outcomeName = ({ __typename: name, publication }: ShownOutcome): string =>
  publication == null ? (OUTCOME_NAMES[name] ?? name) : `PUBLICATION_${publication}`;

function reasonOf({ details, reason, readBack }: ShownOutcome): string {
  const kind = reason ?? (readBack === undefined ? null : `read back: ${readBack}`);
  return toPrintable([kind, details].filter((part) => part !== null).join('; '));
}

/** One line about a row, for people. */
export const describeFailedRow = ({ row, outcome }: FailedRow): string => `${row.place}, ${describeOutcome(outcome)}`;

export const describeOutcome = (outcome: ShownOutcome): string =>
  `${toPrintable(outcome.articleId)}: ${outcomeName(outcome)}: ${reasonOf(outcome)}`;

/** The names of the last rows of the table. A later gateway may have further outcomes. */
const PUBLICATION_NAMES: Readonly<Record<string, string>> = {
  PUBLISHED: 'published',
  FAILED: 'publish failed',
  UNKNOWN: 'publish unknown',
  NOT_ATTEMPTED: 'not published',
};

export function countPublication(counts: Record<string, number>, { publication }: ShownOutcome): void {
  if (publication == null) return;
  const name = PUBLICATION_NAMES[publication] ?? publication.toLowerCase();
  counts[name] = (counts[name] ?? 0) + 1;
}
