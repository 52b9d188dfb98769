import { toPrintable } from '../../../base/printable.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { RowProblem } from './input-row.ts';
import { parseRow, type RowsOptions, readInputRows } from './read-rows.ts';

/** Problems that are listed; the rest is counted. */
const MAX_LISTED_PROBLEMS = 100;

export interface CheckedRows {
  readonly rows: number;
  /** The SHA-256 of the file. */
  readonly digest: string;
}

/** Reads all rows before any is sent. The error lists the problems of the file. */
export async function checkRows(options: RowsOptions): Promise<Result<CheckedRows, string>> {
  const reading = options.file.read();
  const problems = new ProblemList();
  let rows = 0;
  for await (const row of readInputRows(options, reading.text)) {
    rows += 1;
    const parsed = row.ok ? parseRow(row.value, options) : err([row.error]);
    if (!parsed.ok) problems.add(parsed.error);
  }
  if (rows === 0) return err(`${options.file.name} has no rows.`);
  const digest = reading.digest();
  if (problems.count === 0 && digest !== null) return ok({ rows, digest });
  return err(`nothing was sent: ${options.file.name} has ${problems.count} problems.\n${problems.text()}`);
}

class ProblemList {
  readonly #listed: string[] = [];
  count = 0;

  add(problems: readonly RowProblem[]): void {
    for (const { line, message } of problems) {
      this.count += 1;
      if (this.#listed.length < MAX_LISTED_PROBLEMS) this.#listed.push(`  line ${line}: ${toPrintable(message)}`);
    }
  }

  text(): string {
    const more = this.count - this.#listed.length;
    return [...this.#listed, ...(more > 0 ? [`  and ${more} more.`] : [])].join('\n');
  }
}
