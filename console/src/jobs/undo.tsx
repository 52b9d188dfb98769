import { useState } from 'react';
import { NO_ANSWER, type Payloads } from '../api.ts';
import { valueText } from '../articles/cell-values.ts';
import { isMember, MEMBER_NAMES, memberOf } from '../articles/edits.ts';
import { TextDiff } from '../changes/change-list.tsx';
import { NEW_DRAFTS, PublishedChoice } from '../changes/published-choice.tsx';
import { createKey } from '../changes/submit.ts';
import { counted } from '../counted.ts';
import {
  type ArticleFieldsFragment,
  type JobFieldsFragment,
  PreviewRevertArticleUpdateJobDocument,
  type PreviewRevertArticleUpdateJobMutation,
  RevertArticleUpdateJobDocument,
} from '../generated/graphql.ts';
import { Problem, SendButton } from '../parts.tsx';
import { useAnswer, useShared } from '../shared.ts';
import { ArticleLink, usePages, useTitles } from './job-results.tsx';

/** The size of a page, so small that its texts take no more calls than one request may. */
const PAGE_SIZE = 20;

type Preview = NonNullable<Payloads<PreviewRevertArticleUpdateJobMutation>['previewed']>;
type Item = NonNullable<Preview['items']>['nodes'][number];

interface UndoProps {
  job: JobFieldsFragment;
  onUndone: () => void;
}

/** The button that undoes a job, above the preview of that in pages. */
export function Undo({ job: { id }, onUndone }: UndoProps) {
  const { api, work, actions } = useShared();
  const { after, buttonsOf } = usePages(PAGE_SIZE);
  const [{ key, rule }, setSending] = useState(() => ({ key: createKey(), rule: NEW_DRAFTS }));
  const { data, problem, isLoading } = useAnswer(PreviewRevertArticleUpdateJobDocument, {
    variables: { id, first: PAGE_SIZE, after },
  });
  const { ifPublished, userId } = rule;
  const send = async () => {
    const { data: answer, failure } = await api.send(RevertArticleUpdateJobDocument, {
      id,
      idempotencyKey: key,
      ifPublished,
      userId: ifPublished === 'FORK' && userId !== '' ? userId : null,
    });
    if (!answer?.reverted) return failure?.message ?? NO_ANSWER;
    actions.submit(answer.reverted.job.id, work.ended.get(id)?.toUndo ?? []);
    onUndone();
    return null;
  };
  const { summary, items } = data?.previewed ?? {};
  const articleOf = useTitles(items?.nodes ?? []);
  return (
    <section aria-label="Undo" className="stack">
      <p role="status">
        {isLoading && !data && 'Reading…'}
        {summary &&
          `${summary.restorable} of ${summary.total} can be put back, where they are still as the job left them. What was published stays so.`}
      </p>
      {summary && (
        <div className="inline">
          <PublishedChoice
            rule={rule}
            // What is sent otherwise is another revert, with a key of its own.
            onChange={(next) => setSending({ rule: next, key: createKey() })}
          />
          <SendButton
            label={`Put back ${counted(summary.restorable, 'article')}`}
            isReady={summary.restorable > 0}
            send={send}
          />
          {ifPublished === 'FORK' && userId === '' && (
            <span className="hint">Without a name, published versions stay as they are.</span>
          )}
        </div>
      )}
      {items && buttonsOf(items.nodes.length, items.pageInfo)}
      <Problem text={items === null ? 'The articles cannot be read now.' : problem} />
      <ul aria-label="Would be undone" className="lines">
        {items?.nodes.map((item) => (
          <UndoItem key={item.index} item={item} article={articleOf(item.articleId)} />
        ))}
      </ul>
    </section>
  );
}

const textOf = (name: string, value: unknown): string =>
  (isMember(name) ? valueText(name, value, []) : String(value ?? '')) || 'none';

function UndoItem({ item, article }: { item: Item; article: ArticleFieldsFragment | undefined }) {
  const { articleId, details, members, notRestored } = item;
  const changed = members.filter(({ before, asLeft, now }) => asLeft !== before || now !== asLeft);
  const shown = changed.map(({ name, ...values }) => ({ name: memberOf(name), ...values }));
  const left = notRestored.map(memberOf).map((name) => (isMember(name) ? MEMBER_NAMES[name] : 'Text'));
  return (
    <li>
      <ArticleLink articleId={articleId} article={article} />{' '}
      {details !== null && <span className="doubt">{details}</span>}
      {left.length > 0 && <span className="doubt"> Cannot be put back: {left.join(', ')}.</span>}
      {shown.map(({ name, before, asLeft, now }) =>
        isMember(name) ? (
          <p key={name}>
            {MEMBER_NAMES[name]}: <del>{textOf(name, asLeft)}</del> <span aria-hidden="true">→</span>{' '}
            <ins>{textOf(name, before)}</ins>
            {details !== null && now !== asLeft && <span className="doubt"> Now: {textOf(name, now)}</span>}
          </p>
        ) : (
          <div key={name}>
            Text:
            <TextDiff from={textOf(name, asLeft)} to={textOf(name, before)} />
            {details !== null && now !== asLeft && <span className="doubt">Now it is another text.</span>}
          </div>
        ),
      )}
    </li>
  );
}
