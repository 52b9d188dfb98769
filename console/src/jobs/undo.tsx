import { useEffect, useState } from 'react';
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
import { LazyPart } from '../lazy-part.tsx';

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
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  // What has no response is sent again with its key, so that it is not done twice.
  const [key] = useState(createKey);
  useEffect(() => {
    let isWanted = true;
    void api.send(PreviewRevertArticleUpdateJobDocument, { id, first: PAGE_SIZE, after }).then(({ data, failure }) => {
      if (!isWanted) return;
      const previewed = data?.previewed;
      const isRead = previewed?.__typename === 'RevertArticleUpdateJobPreview';
      if (isRead) setPreview(previewed);
      if (isRead) setProblem(previewed.items ? null : 'The articles cannot be read now.');
      else setProblem(failure?.message ?? previewed?.message ?? 'There was no answer.');
    });
    return () => {
      isWanted = false;
    };
  }, [api, id, after]);
  const send = async () => {
    setIsSending(true);
    const { data, failure } = await api.send(RevertArticleUpdateJobDocument, { id, idempotencyKey: key });
    setIsSending(false);
    const reverted = data?.reverted;
    if (reverted?.__typename === 'RevertArticleUpdateJobPayload') return onUndone(reverted.job.id);
    setProblem(`${failure?.message ?? reverted?.message ?? 'There was no answer.'} Trying again is safe.`);
  };
  const { summary, items } = preview ?? {};
  return (
    <section aria-label="Undo">
      <p role="status">
        {!preview && problem === null && 'Reading…'}
        {summary &&
          `${summary.restorable} of ${summary.total} can be put back, where they stand as the job left them. What was published stays so.`}
      </p>
      <ul className="plain-list" aria-label="Would be undone">
        {items?.nodes.map((item) => (
          <UndoItem key={item.index} item={item} title={titleOf(item.articleId)} />
        ))}
      </ul>
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <p className="inline">
        {items?.pageInfo.hasNextPage && (
          <button type="button" onClick={() => setAfter(items.pageInfo.endCursor)}>
            Next page
          </button>
        )}
        {summary && (
          <button type="button" className="primary" disabled={isSending || summary.restorable === 0} onClick={send}>
            Put back
          </button>
        )}
      </p>
    </section>
  );
}

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
            <LazyPart>
              <TextDiff from={textOf(name, asLeft)} to={textOf(name, before)} />
            </LazyPart>
            {now !== asLeft && <span className="doubt">Now it is another text.</span>}
          </div>
        ),
      )}
    </li>
  );
}
