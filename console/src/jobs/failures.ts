import { MAX_CELL_CHARS } from '../../../src/core/sheets/sheet-rows.ts';
import { csvLine } from '../../../src/core/sheets/spreadsheet-cells.ts';
import { COLUMNS } from '../articles/csv.ts';
import { outcomeText } from '../articles/outcome-text.ts';
import type {
  ArticleFieldsFragment,
  ItemOutcome,
  JobFieldsFragment,
  OutcomeFieldsFragment,
} from '../generated/graphql.ts';
import type { Ended } from '../work.ts';

const OUTCOMES: Readonly<Record<string, ItemOutcome>> = {
  ArticleUpdateFailed: 'FAILED',
  ArticleUpdateUnknown: 'UNKNOWN',
  ArticleUpdateNotAttempted: 'NOT_ATTEMPTED',
};

export const NOT_UPDATED = Object.values(OUTCOMES);

interface Failures {
  readonly outcomes: readonly OutcomeFieldsFragment[];
  /** What this page knows of the items. */
  readonly rest: readonly Ended[];
  readonly found: ReadonlyMap<string, ArticleFieldsFragment> | null;
}

/**
 * What a job has not updated, as CSV with the reasons. Opened again, it has the changes where this page has sent the job; of
 * others, the gateway does not tell them.
 */
export function failuresCsv({ id }: JobFieldsFragment, { outcomes, rest, found }: Failures): string {
  const items = new Map(rest.map(({ item, outcome }) => [outcome.index, item]));
  const lines = outcomes.map((outcome, index) => {
    const { articleId } = outcome;
    const item = items.get(outcome.index);
    const values = new Map(Object.entries({ ...item?.change, articleId, languageCode: item?.article.languageCode }));
    const cells = COLUMNS.map((name) => [name, String(values.get(name) ?? '')] as const);
    const row = {
      ...Object.fromEntries(cells.map(([name, cell]) => [name, cell.length <= MAX_CELL_CHARS ? cell : ''])),
      _title: (found?.get(articleId) ?? item?.article)?.title ?? '',
      _outcome: OUTCOMES[outcome.__typename] ?? '',
      _reason: outcomeText(outcome).text,
      _job: id,
    };
    return csvLine(row, { isFirst: index === 0, isForSpreadsheet: true });
  });
  return lines.join('');
}
