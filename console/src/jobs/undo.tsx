import { useState } from 'react';
import type { Api } from '../api.ts';
import { valueText } from '../articles/cell-values.ts';
import { isMember, MEMBER_NAMES } from '../articles/edits.ts';
import { TextDiff } from '../changes/change-list.tsx';
import { createKey } from '../changes/submit.ts';
import {
  type JobFieldsFragment,
  PreviewRevertArticleUpdateJobDocument,
  type PreviewRevertArticleUpdateJobMutation,
  RevertArticleUpdateJobDocument,
} from '../generated/graphql.ts';
import { Problem, SendButton } from '../parts.tsx';
import { useAnswer } from '../use-answer.ts';

/** So few that a page of texts takes no more calls than one request may. */
const PAGE_SIZE = 20;

type Previewed = NonNullable<PreviewRevertArticleUpdateJobMutation['previewed']>;
type Preview = Extract<Previewed, { __typename: 'RevertArticleUpdateJobPreview' }>;
type Item = NonNullable<Preview['items']>['nodes'][number];

interface UndoProps {
  api: Api;
  job: JobFieldsFragment;
  titleOf: (articleId: string) => string;
  /** The job with this ID puts the changes back. */
  onUndone: (revertId: string) => void;
}

/** What undoing a job would put back, in pages, and then the button that does it. */
export function Undo({ api, job: { id }, titleOf, onUndone }: UndoProps) {
  const [after, setAfter] = useState<string | null>(null);
  const [key] = useState(createKey);
  const variables = { id, first: PAGE_SIZE, after };
  const { data, problem, isLoading } = useAnswer(api, PreviewRevertArticleUpdateJobDocument, { variables });
  const preview = data?.previewed?.__typename === 'RevertArticleUpdateJobPreview' ? data.previewed : null;
  const refusal = preview?.items === null ? 'The articles cannot be read now.' : messageIn(data?.previewed);
  const send = async () => {
    const { data, failure } = await api.send(RevertArticleUpdateJobDocument, { id, idempotencyKey: key });
    const reverted = data?.reverted;
    if (reverted?.__typename !== 'RevertArticleUpdateJobPayload')
      return failure?.message ?? reverted?.message ?? 'There was no answer.';
    onUndone(reverted.job.id);
    return null;
  };
  const { summary, items } = preview ?? {};
  return (
    <section aria-label="Undo">
      <p role="status">
        {isLoading && !preview && 'Reading…'}
        {summary &&
          `${summary.restorable} of ${summary.total} can be put back, where they stand as the job left them. What was published stays so.`}
      </p>
      <ul className="plain-list" aria-label="Would be undone">
        {items?.nodes.map((item) => (
          <UndoItem key={item.index} item={item} title={titleOf(item.articleId)} />
        ))}
      </ul>
      {!isLoading && <Problem text={problem ?? refusal} />}
      <div className="inline">
        {items?.pageInfo.hasNextPage && (
          <button type="button" onClick={() => setAfter(items.pageInfo.endCursor)}>
            Next page
          </button>
        )}
        {summary && <SendButton label="Put back" isReady={summary.restorable > 0} send={send} />}
      </div>
    </section>
  );
}

const messageIn = (error: object | null | undefined): string | null =>
  error && 'message' in error ? String(error.message) : null;

const textOf = (name: string, value: unknown): string =>
  (isMember(name) ? valueText(name, value, []) : String(value ?? '')) || 'none';

function UndoItem({ item: { details, members }, title }: { item: Item; title: string }) {
  return (
    <li>
      <strong>{title}</strong> {details !== null && <span className="doubt">{details}</span>}
      {members.map(({ name, before, asLeft, now }) =>
        isMember(name) ? (
          <p key={name}>
            {MEMBER_NAMES[name]}: <del>{textOf(name, asLeft)}</del> <span aria-hidden="true">→</span>{' '}
            <ins>{textOf(name, before)}</ins>
            {now !== asLeft && <span className="doubt"> Now: {textOf(name, now)}</span>}
          </p>
        ) : (
          <div key={name}>
            Text:
            <TextDiff from={textOf(name, asLeft)} to={textOf(name, before)} />
            {now !== asLeft && <span className="doubt">Now it is another text.</span>}
          </div>
        ),
      )}
    </li>
  );
}
