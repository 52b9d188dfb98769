import type { ArticlePublication, OutcomeFieldsFragment, ReadBack } from '../generated/graphql.ts';
import type { Work } from '../work.ts';

/** The results of reading an article after an update without an answer. */
const READ_BACKS: Readonly<Record<ReadBack, string>> = {
  NOT_TRIED: 'there was no answer, and the article was not read.',
  DIFFERS: 'there was no answer, and the article is not as you wanted it.',
  NOT_READABLE: 'there was no answer, and the article could not be read.',
};

/** The publication of an updated article. NONE: no publication was requested. */
const PUBLICATIONS: Readonly<Record<ArticlePublication | 'NONE', readonly [string, OutcomeText['tone']]>> = {
  NONE: ['Updated', 'good'],
  PUBLISHED: ['Published', 'good'],
  UNPUBLISHED: ['Unpublished', 'good'],
  NOT_ATTEMPTED: ['Updated, and not published', 'doubt'],
  FAILED: ['Updated, and the service refused to publish it', 'doubt'],
  UNKNOWN: ['Updated, and maybe published: look at its status', 'doubt'],
};

interface OutcomeText {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'doubt' | 'hint';
}

/** The state of a row, which is that of the newest change: an unsent edit counts above an earlier outcome. */
export function rowStateOf({ edits, outcomes, underWay }: Work, key: string): OutcomeText {
  const edit = edits.get(key);
  const ended = outcomes.get(key);
  if (underWay.has(key)) return { text: 'Under way', tone: 'hint' };
  if (edit && edit !== ended?.item) return { text: 'Changed, not sent', tone: 'doubt' };
  return ended ? outcomeText(ended.outcome) : { text: '', tone: 'hint' };
}

/** The text of an outcome. Later schemas may have other types, for which the members of all outcomes are used. */
export function outcomeText(outcome: OutcomeFieldsFragment): OutcomeText {
  const { details, retryable } = outcome;
  switch (outcome.__typename) {
    case 'ArticleUpdated': {
      const [text, tone] = PUBLICATIONS[outcome.publication ?? 'NONE'] ?? PUBLICATIONS.NONE;
      const where = outcome.draftVersionNumber === null ? text : `${text} as draft ${outcome.draftVersionNumber}`;
      return { tone, text: outcome.evidence === 'READ_BACK' ? `${where}: reading it showed that.` : where };
    }
    case 'ArticleUpdateFailed':
      return { tone: 'bad', text: `Failed: ${details ?? 'the service does not say why.'}` };
    case 'ArticleUpdateUnknown':
      return { tone: 'doubt', text: `Unknown: ${READ_BACKS[outcome.readBack] ?? details ?? 'look at the article.'}` };
    case 'ArticleUpdateNotAttempted':
      return { tone: 'hint', text: notSentText(outcome) };
    default:
      return { tone: 'hint', text: details ?? (retryable ? 'It can be sent again safely.' : 'Look at the article.') };
  }
}

/** The details of some reasons begin with the same words. */
function notSentText({ details, retryable }: OutcomeFieldsFragment): string {
  if (details?.startsWith('Not ')) return details;
  return `Not sent: ${details ?? (retryable ? 'it can be sent again safely.' : 'the service refuses this.')}`;
}
