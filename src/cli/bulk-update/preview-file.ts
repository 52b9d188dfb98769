import { ok, type Result } from '../../base/result.ts';
import { print, printError } from '../terminal.ts';
import { type CheckedRun, UPDATE_EXITS } from './checked-run.ts';
import { createPatience } from './gateway/patience.ts';
import { previewRows } from './gateway/preview-rows.ts';
import { PreviewReport } from './report/preview-report.ts';

/** Prints the rows that would change something or fail, and the numbers of rows. */
export async function previewFile({ client, rows, checked, signal }: CheckedRun): Promise<Result<number, string>> {
  const report = new PreviewReport();
  const previewed = await previewRows(client, {
    rows,
    checked,
    patience: createPatience(signal, (text) => printError(`${text}\n`)),
    onItem: (line, item) => {
      const text = report.describe(line, item);
      if (text !== null) print(`${text}\n`);
    },
  });
  if (!previewed.ok) return previewed;
  print(`${report.table()}Nothing was written.\n`);
  return ok(UPDATE_EXITS.done);
}
