import { useEffect, useRef, useState } from 'react';
import { keyOf } from '../articles/edits.ts';
import { ChangeList, type CheckedEdit } from '../changes/change-list.tsx';
import { AccountChoice } from '../changes/published-choice.tsx';
import { counted } from '../counted.ts';
import type { PreviewFieldsFragment } from '../generated/graphql.ts';
import { Pane, SendButton, TextField } from '../parts.tsx';
import { useShared } from '../shared.ts';
import {
  KIND_NAMES,
  type Part,
  type PublicationRequest,
  type PublicationTerms,
  partsOf,
  previewPart,
  writePart,
} from './publish.ts';

interface PublicationProps {
  request: PublicationRequest;
  onChange: (request: PublicationRequest) => void;
  /** Called when all is sent. The outcomes are shown in the rows. */
  onDone: () => void;
}

/** The preview of publishing articles for an account, and the button that does it. */
export function Publication({ request, onChange, onDone }: PublicationProps) {
  const { kind, articles } = request;
  const [terms, setTerms] = useState<PublicationTerms>({ kind, userId: '', message: '' });
  const { previews, problem } = usePreviews(request, terms.userId);
  const checked = articles.flatMap((article): readonly CheckedEdit[] => {
    const preview = previews.get(keyOf(article));
    return preview ? [{ edit: { article, change: {} }, preview }] : [];
  });
  const drop = (items: readonly CheckedEdit[]) => {
    const keys = new Set(items.map(({ edit }) => keyOf(edit.article)));
    onChange({ kind, articles: articles.filter((article) => !keys.has(keyOf(article))) });
  };
  return (
    <Pane title={`${KIND_NAMES[kind]} ${counted(articles.length, 'article')}`}>
      <Terms terms={terms} onChange={setTerms} />
      <ChangeList
        checked={checked}
        problem={problem}
        total={articles.length}
        hint={terms.userId === '' && 'Choose in whose name first.'}
        onDrop={drop}
      />
      <PublishButton
        key={`${terms.userId} ${terms.message} ${articles.length}`}
        request={request}
        onDone={onDone}
        isReady={checked.length === articles.length && articles.length > 0}
        checked={checked}
        terms={{ ...terms, kind }}
      />
    </Pane>
  );
}

/** Previews the articles, again when another account is chosen. */
function usePreviews({ kind, articles }: PublicationRequest, userId: string) {
  const { api } = useShared();
  const [previews, setPreviews] = useState<ReadonlyMap<string, PreviewFieldsFragment>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = userId !== '';
    const preview = async () => {
      setPreviews(new Map());
      setProblem(null);
      for (const part of isWanted ? partsOf(articles) : []) {
        const answer = await previewPart(api, part, { kind, userId, message: '' });
        if (!isWanted) return;
        if ('problem' in answer) return setProblem(answer.problem);
        const items = answer.items.map(([article, item]) => [keyOf(article), item] as const);
        setPreviews((current) => new Map([...current, ...items]));
      }
    };
    void preview();
    return () => {
      isWanted = false;
    };
  }, [api, kind, articles, userId]);
  return { previews, problem };
}

interface TermsProps {
  terms: PublicationTerms;
  onChange: (terms: PublicationTerms) => void;
}

const Terms = ({ terms, onChange }: TermsProps) => (
  <div className="bar">
    <AccountChoice label="In the name of" userId={terms.userId} onChange={(userId) => onChange({ ...terms, userId })} />
    <TextField
      label="Message"
      maxLength={1_000}
      value={terms.message}
      onChange={(message) => onChange({ ...terms, message })}
    />
  </div>
);

interface PublishButtonProps extends Pick<PublicationProps, 'request' | 'onDone'> {
  terms: PublicationTerms;
  isReady: boolean;
  checked: readonly CheckedEdit[];
}

/** Publishes. After a missing response it continues with the same part. */
function PublishButton({ request, terms, isReady, checked, onDone }: PublishButtonProps) {
  const { api, actions } = useShared();
  const parts = useRef<readonly Part[] | null>(null);
  const send = async () => {
    const revisions = new Map(checked.map(({ edit, preview }) => [keyOf(edit.article), preview.revision]));
    parts.current ??= partsOf(request.articles, revisions);
    for (const part of parts.current) {
      const answer = await writePart(api, part, terms);
      if ('problem' in answer) return answer.problem;
      actions.record(
        answer.items.map(([article, outcome]) => ({ item: { article, change: {}, aim: terms.kind }, outcome })),
      );
      parts.current = parts.current.slice(1);
    }
    onDone();
    return null;
  };
  return (
    <div className="bar foot">
      <SendButton
        label={`${KIND_NAMES[terms.kind]} ${counted(request.articles.length, 'article')}`}
        isReady={isReady}
        send={send}
      />
    </div>
  );
}
