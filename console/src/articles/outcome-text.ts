import type { OutcomeFieldsFragment, ReadBack } from '../generated/graphql.ts';

/** What reading an article told whose update had no answer. */
const READ_BACKS: Readonly<Record<ReadBack, string>> = {
  NOT_TRIED: 'there was no answer, and the article was not read.',
  DIFFERS: 'there was no answer, and the article is not as you wanted it.',
  NOT_READABLE: 'there was no answer, and the article could not be read.',
};

interface OutcomeText {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'doubt' | 'hint';
}

/** Outcomes may be added to the schema: what every one of them has is used then. */
export function outcomeText(outcome: OutcomeFieldsFragment): OutcomeText {
  const { details, retryable } = outcome;
  switch (outcome.__typename) {
    case 'ArticleUpdated':
      return { tone: 'good', text: outcome.evidence === 'READ_BACK' ? 'Updated: reading it showed that.' : 'Updated' };
    case 'ArticleUpdateFailed':
      return { tone: 'bad', text: `Failed: ${details ?? 'the service does not say why.'}` };
    case 'ArticleUpdateUnknown':
      return { tone: 'doubt', text: `Unknown: ${READ_BACKS[outcome.readBack] ?? details ?? 'look at the article.'}` };
    case 'ArticleUpdateNotAttempted':
      return {
        tone: 'hint',
        text: `Not sent: ${details ?? (retryable ? 'it can be sent again safely.' : 'the service refuses this.')}`,
      };
    default:
      return { tone: 'hint', text: details ?? (retryable ? 'It can be sent again safely.' : 'Look at the article.') };
  }
}
