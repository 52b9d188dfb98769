import type { Result } from '../../../base/result.ts';

/** A row of the input with all of its members: texts of cells in CSV, else any JSON. */
export interface InputRow {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  readonly members: Readonly<Record<string, unknown>>;
}

export interface RowProblem {
  readonly line: number;
  readonly message: string;
}

export type ReadRow = Result<InputRow, RowProblem>;

/** Characters of one row. No longer one fits into a request. */
export const MAX_ROW_CHARS = 8 * 1024 ** 2;

export const tooLongRow = (line: number): RowProblem => ({
  line,
  message: `the row has more than ${MAX_ROW_CHARS} characters, or a quotation mark or bracket is not closed.`,
});

/** Parses one article of a JSON input. */
export function parseJsonRow(text: string, line: number): ReadRow {
  try {
    const members: unknown = JSON.parse(text);
    if (typeof members === 'object' && members !== null && !Array.isArray(members)) {
      return { ok: true, value: { line, members: { ...members } } };
    }
    return { ok: false, error: { line, message: 'the row is no object with the fields of an article.' } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, error: { line, message: `the row is no JSON: ${reason}` } };
  }
}

export const lineFeedsIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};
