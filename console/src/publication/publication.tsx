import { useCallback, useMemo, useRef, useState } from 'react';
import { NO_ANSWER } from '../api.ts';
import { type Edit, inputOf, keyOf, type PublicationRequest } from '../articles/edits.ts';
import { ChangeList } from '../changes/change-list.tsx';
import { type CheckedEdit, usePreviews } from '../changes/preview.ts';
import { AccountChoice } from '../changes/published-choice.tsx';
import { createKey } from '../changes/submit.ts';
import { counted } from '../counted.ts';
import {
  PreviewPublishArticlesDocument,
  PreviewUnpublishArticlesDocument,
  PublishArticlesDocument,
  UnpublishArticlesDocument,
} from '../generated/graphql.ts';
import { Pane, SendButton, TextField } from '../parts.tsx';
import { useShared } from '../shared.ts';

export const KIND_NAMES = { publish: 'Publish', unpublish: 'Unpublish' } as const;

/** The most articles that the service takes in one call. */
const PART_ITEMS = 100;

const DOCUMENTS = {
  publish: { preview: PreviewPublishArticlesDocument, write: PublishArticlesDocument },
  unpublish: { preview: PreviewUnpublishArticlesDocument, write: UnpublishArticlesDocument },
} as const;

/** The preview of publishing articles for an account, and the button that does it. */
export function Publication({ request }: { request: PublicationRequest }) {
  const { kind, articles } = request;
  const { api, publish } = useShared();
  const [userId, setUserId] = useState('');
  const [message, setMessage] = useState('');
  // Nothing is checked before an account is chosen, and all is checked again for another one.
  const edits = useMemo(
    () => (userId === '' ? [] : articles.map((article): Edit => ({ article, change: {}, aim: kind }))),
    [articles, kind, userId],
  );
  const preview = useCallback(
    (part: readonly Edit[]) =>
      api.send(DOCUMENTS[kind].preview, { input: { articles: part.map((edit) => inputOf(edit)), userId } }),
    [api, kind, userId],
  );
  const previews = usePreviews(edits, preview, PART_ITEMS);
  const drop = (items: readonly CheckedEdit[]) => {
    const keys = new Set(items.map(({ edit }) => keyOf(edit.article)));
    publish({ kind, articles: articles.filter((article) => !keys.has(keyOf(article))) });
  };
  return (
    <Pane title={`${KIND_NAMES[kind]} ${counted(articles.length, 'article')}`}>
      <div className="bar">
        <AccountChoice label="In the name of" userId={userId} onChange={setUserId} />
        <TextField label="Message" maxLength={1_000} value={message} onChange={setMessage} />
      </div>
      <ChangeList
        previews={previews}
        total={articles.length}
        hint={userId === '' && 'Choose in whose name first.'}
        onDrop={drop}
      />
      <PublishButton
        key={`${userId} ${message} ${articles.length}`}
        request={request}
        checked={previews.checked}
        terms={message === '' ? { userId } : { userId, message }}
      />
    </Pane>
  );
}

interface PublishButtonProps {
  request: PublicationRequest;
  checked: readonly CheckedEdit[];
  terms: { readonly userId: string; readonly message?: string };
}

/** Publishes what has the revisions that the previews showed. After a missing response it continues with the same part. */
function PublishButton({ request: { kind, articles }, checked, terms }: PublishButtonProps) {
  const { api, actions, publish, reload, changeView } = useShared();
  const rest = useRef<readonly CheckedEdit[] | null>(null);
  const key = useRef('');
  const send = async () => {
    rest.current ??= checked;
    while (rest.current.length > 0) {
      const part = rest.current.slice(0, PART_ITEMS);
      key.current ||= createKey();
      const input = { articles: part.map(({ edit, preview }) => inputOf(edit, preview.revision)), ...terms };
      const { data, failure } = await api.send(DOCUMENTS[kind].write, { input, idempotencyKey: key.current });
      if (!data?.result) return failure?.message ?? NO_ANSWER;
      actions.record(
        data.result.results.flatMap((outcome) => {
          const item = part[outcome.index]?.edit;
          return item ? { item, outcome } : [];
        }),
      );
      rest.current = rest.current.slice(PART_ITEMS);
      key.current = '';
    }
    // The outcomes are shown in the rows.
    publish(null);
    reload();
    changeView({ tab: 'articles' });
    return null;
  };
  return (
    <div className="bar foot">
      <SendButton
        label={`${KIND_NAMES[kind]} ${counted(articles.length, 'article')}`}
        isReady={checked.length === articles.length && articles.length > 0}
        send={send}
      />
    </div>
  );
}
