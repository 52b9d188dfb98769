import type { OutcomeFieldsFragment, ReadBack } from './generated/graphql.ts';

/** Outcomes may be added to the schema. What every one of them has is read before the switch, for its default. */
export function OutcomeText({ outcome }: { outcome: OutcomeFieldsFragment }) {
  const { details, retryable } = outcome;
  switch (outcome.__typename) {
    case 'ArticleUpdated':
      return (
        <span className="good">
          {outcome.evidence === 'READ_BACK'
            ? 'Updated: there was no answer, and reading the article showed it.'
            : 'Updated'}
        </span>
      );
    case 'ArticleUpdateFailed':
      return <span className="issue">Failed: {details ?? 'the service does not say why.'}</span>;
    case 'ArticleUpdateUnknown':
      return <span className="issue">Unknown: {READ_BACKS[outcome.readBack] ?? details}</span>;
    case 'ArticleUpdateNotAttempted':
      return (
        <span className="hint">
          Not sent: {details ?? (retryable ? 'it can be sent again safely.' : 'the service refuses this.')}
        </span>
      );
    default:
      return (
        <span className="hint">{details ?? (retryable ? 'It can be sent again safely.' : 'Look at the article.')}</span>
      );
  }
}

/** Tells the state of an article whose update had no answer. */
const READ_BACKS = {
  NOT_TRIED: 'look at the article before you send this again.',
  DIFFERS: 'there was no answer, and the article is not as you wanted it. Look at it before you send this again.',
  NOT_READABLE: 'there was no answer, and the article could not be read. Look at it before you send this again.',
} as const satisfies Record<ReadBack, string>;
