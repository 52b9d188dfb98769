import { useEffect, useRef, useState } from 'react';
import { type Answer, type Api, NO_ANSWER } from '../api.ts';
import { keyOf } from '../articles/edits.ts';
import { ChangeList, type CheckedEdit } from '../changes/change-list.tsx';
import { AccountChoice } from '../changes/published-choice.tsx';
import { createKey } from '../changes/submit.ts';
import { counted } from '../counted.ts';
import {
  type ArticleFieldsFragment,
  type OutcomeFieldsFragment,
  type PreviewFieldsFragment,
  PreviewPublishArticlesDocument,
  PreviewUnpublishArticlesDocument,
  PublishArticlesDocument,
  type PublishArticlesInput,
  UnpublishArticlesDocument,
} from '../generated/graphql.ts';
import { Pane, SendButton, TextField } from '../parts.tsx';
import { useShared } from '../shared.ts';

/** Articles that are to be published or unpublished after a preview. */
export interface PublicationRequest {
  readonly kind: 'publish' | 'unpublish';
  readonly articles: readonly ArticleFieldsFragment[];
}

export const KIND_NAMES = { publish: 'Publish', unpublish: 'Unpublish' } as const;

/** The terms of a request, which apply to all of its articles. */
interface PublicationTerms {
  readonly kind: PublicationRequest['kind'];
  readonly userId: string;
  /** The text for the history of the articles; '' means none. */
  readonly message: string;
}

/** The most articles that the service takes in one call. */
const PART_ITEMS = 100;

const inputOf = ({ articles, revisions }: Part, { userId, message }: PublicationTerms): PublishArticlesInput => ({
  articles: articles.map((article) => {
    const { articleId, languageCode } = article;
    const ifRevision = revisions.get(keyOf(article));
    return ifRevision ? { articleId, languageCode, ifRevision } : { articleId, languageCode };
  }),
  userId,
  ...(message !== '' && { message }),
});

const DOCUMENTS = {
  publish: { preview: PreviewPublishArticlesDocument, write: PublishArticlesDocument },
  unpublish: { preview: PreviewUnpublishArticlesDocument, write: UnpublishArticlesDocument },
} as const;

/** A part of a request, with the key that makes its write take effect once. */
interface Part {
  readonly articles: readonly ArticleFieldsFragment[];
  /** The revisions that the previews showed, by `keyOf` their articles. What was changed since is not written. */
  readonly revisions: ReadonlyMap<string, string | null>;
  readonly key: string;
}

const partsOf = (
  articles: readonly ArticleFieldsFragment[],
  revisions: Part['revisions'] = new Map(),
): readonly Part[] =>
  Array.from({ length: Math.ceil(articles.length / PART_ITEMS) }, (_, part) => ({
    articles: articles.slice(part * PART_ITEMS, (part + 1) * PART_ITEMS),
    revisions,
    key: createKey(),
  }));

/** Pairs the results of a part with its articles, or gives the reason why there are none. */
function paired<Item extends { readonly index: number }>(
  { articles }: Part,
  { data, failure }: Answer<{ readonly result: { readonly results: readonly Item[] } | null }>,
) {
  if (!data?.result) return { problem: failure?.message ?? NO_ANSWER };
  return {
    items: data.result.results.flatMap((item) => {
      const article = articles[item.index];
      return article ? [[article, item] as const] : [];
    }),
  };
}

const previewPart = async (api: Api, part: Part, terms: PublicationTerms) =>
  paired<PreviewFieldsFragment>(part, await api.send(DOCUMENTS[terms.kind].preview, { input: inputOf(part, terms) }));

const writePart = async (api: Api, part: Part, terms: PublicationTerms) =>
  paired<OutcomeFieldsFragment>(
    part,
    await api.send(DOCUMENTS[terms.kind].write, { input: inputOf(part, terms), idempotencyKey: part.key }),
  );

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
    return preview ? [{ edit: { article, change: {} }, preview, conflicts: [] }] : [];
  });
  const drop = (items: readonly CheckedEdit[]) => {
    const keys = new Set(items.map(({ edit }) => keyOf(edit.article)));
    onChange({ kind, articles: articles.filter((article) => !keys.has(keyOf(article))) });
  };
  return (
    <Pane title={`${KIND_NAMES[kind]} ${counted(articles.length, 'article')}`}>
      <div className="bar">
        <AccountChoice
          label="In the name of"
          userId={terms.userId}
          onChange={(userId) => setTerms({ ...terms, userId })}
        />
        <TextField
          label="Message"
          maxLength={1_000}
          value={terms.message}
          onChange={(message) => setTerms({ ...terms, message })}
        />
      </div>
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
