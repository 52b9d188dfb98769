import { useState } from 'react';
import { MAX_CELL_CHARS } from '../../../src/core/sheets/sheet-rows.ts';
import { findArticles } from '../articles/article-list.ts';
import { COLUMNS, csvOf } from '../articles/csv.ts';
import { download } from '../articles/csv-buttons.tsx';
import { keyOf } from '../articles/edits.ts';
import { outcomeText } from '../articles/outcome-text.ts';
import type {
  ArticleFieldsFragment,
  ItemOutcome,
  JobFieldsFragment,
  OutcomeFieldsFragment,
} from '../generated/graphql.ts';
import { Button, Problem } from '../parts.tsx';
import { useShared } from '../shared.ts';
import type { Ended } from '../work.ts';
import { readOutcomes } from './use-jobs.ts';

const OUTCOMES: Readonly<Record<string, ItemOutcome>> = {
  ArticleUpdateFailed: 'FAILED',
  ArticleUpdateUnknown: 'UNKNOWN',
  ArticleUpdateNotAttempted: 'NOT_ATTEMPTED',
};

const NOT_UPDATED = Object.values(OUTCOMES);

/** What can be done about the items that were not updated, once the job has ended. */
export function Failures({ job }: { job: JobFieldsFragment }) {
  const { api, versionLanguage, work, actions, mayWrite, changeView } = useShared();
  const [problem, setProblem] = useState<string | null>(null);
  const { failed, unknown, notAttempted } = job.summary;
  if (!job.done || failed + unknown + notAttempted === 0) return null;
  const { rest = [] } = work.ended.get(job.id) ?? {};
  const again = rest.filter(({ item, outcome }) => !item.aim && outcome.__typename !== 'ArticleUpdateUnknown');
  const save = async () => {
    const outcomes = await readOutcomes(api, job.id, NOT_UPDATED);
    setProblem(outcomes === null ? 'The items cannot be read now.' : null);
    if (outcomes === null) return;
    const ids = outcomes.map(({ articleId }) => articleId);
    const { articles: found } = await findArticles(api, versionLanguage, ids);
    download('not-updated.csv', failuresCsv(job, { outcomes, rest, found }));
  };
  const tryAgain = () => {
    const dropped = again.filter(({ item }) => !work.edits.has(keyOf(item.article)));
    actions.keep(dropped.map(({ item }) => item));
    changeView({ tab: 'changes' });
  };
  return (
    <div className="inline">
      {mayWrite && again.length > 0 && <Button onClick={tryAgain}>Try these {again.length} again…</Button>}
      <Button onClick={save}>Save what was not updated as CSV</Button>
      <Problem text={problem} />
    </div>
  );
}

interface NotUpdated {
  readonly outcomes: readonly OutcomeFieldsFragment[];
  /** What this page knows of the items. */
  readonly rest: readonly Ended[];
  readonly found: ReadonlyMap<string, ArticleFieldsFragment>;
}

/**
 * What a job has not updated, as CSV with the reasons. Opened again, it has the changes where this page has sent the job; of
 * others, the gateway does not tell them.
 */
function failuresCsv({ id }: JobFieldsFragment, { outcomes, rest, found }: NotUpdated): string {
  const items = new Map(rest.map(({ item, outcome }) => [outcome.index, item]));
  const rows = outcomes.map((outcome) => {
    const { articleId } = outcome;
    const item = items.get(outcome.index);
    const values = new Map(Object.entries({ ...item?.change, articleId, languageCode: item?.article.languageCode }));
    const cells = COLUMNS.map((name) => [name, String(values.get(name) ?? '')] as const);
    return {
      ...Object.fromEntries(cells.map(([name, cell]) => [name, cell.length <= MAX_CELL_CHARS ? cell : ''])),
      _title: (found.get(articleId) ?? item?.article)?.title,
      _outcome: OUTCOMES[outcome.__typename] ?? '',
      _reason: outcomeText(outcome).text,
      _job: id,
    };
  });
  return csvOf(rows);
}
