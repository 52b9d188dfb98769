import { err } from '../../../base/result.ts';
import { MAX_ROW_CHARS, parseJsonRow, type ReadRow, tooLongRow } from './input-row.ts';

/** Reads one JSON object of each line. Blank lines are skipped. */
export async function* readNdjsonRows(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let line = 1;
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const row of lines) {
      if (row.length > MAX_ROW_CHARS) yield err(tooLongRow(line));
      else if (row.trim() !== '') yield parseJsonRow(row, line);
      line += 1;
    }
    if (rest.length > MAX_ROW_CHARS) return yield err(tooLongRow(line));
  }
  if (rest.trim() !== '') yield parseJsonRow(rest, line);
}
