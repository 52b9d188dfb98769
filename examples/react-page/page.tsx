import { useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  type ArticleRowFragment,
  ArticleRowsDocument,
  PreviewRowsDocument,
  type TypedDocumentString,
  UpdateRowsDocument,
  type UpdateRowsMutation,
} from './generated/operations.ts';
import { createJwtSource, type Grant } from './jwt-source.ts';

/** Sends a document, and throws where nobody knows what has happened. */
export type Send = <Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

const createSend =
  (url: string, jwtSource: () => Promise<string>): Send =>
  async (document, variables) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await jwtSource()}` };
    const body = JSON.stringify({ query: document.toString(), variables });
    const { data, errors } = await (await fetch(url, { method: 'POST', headers, body })).json();
    if (!data || Object.values(data).includes(null)) throw new Error(errors[0].message);
    return data;
  };

const again = (text: string | null = '', isRetryable = false) =>
  `${text} ${isRetryable ? 'Save it again.' : 'Look at the article.'}`;

type Answer = NonNullable<UpdateRowsMutation['answer']>;
type Outcome = Extract<Answer, { results: unknown }>['results'][number];

function noteOf(outcome: Outcome): string {
  const { details, retryable } = outcome;
  switch (outcome.__typename) {
    case 'ArticleUpdated':
      return 'Saved.';
    case 'ArticleUpdateFailed':
      return `Not saved: ${details}`;
    case 'ArticleUpdateUnknown':
      return `It may have been saved: look at the article first. ${details}`;
    case 'ArticleUpdateNotAttempted':
      if (outcome.current) return `Not saved: meanwhile it is called “${outcome.current.title}”.`;
  }
  // Later releases may add outcomes.
  return again(details, retryable);
}

interface RowProps {
  article: ArticleRowFragment;
  send: Send;
  onArticle?: (article: ArticleRowFragment) => void;
}

export function Row({ article, send, onArticle }: RowProps) {
  const { articleId, languageCode, revision } = article;
  const [title, setTitle] = useState(article.title ?? '');
  const [note, setNote] = useState('');
  // One key for each input, so that it can be sent again until an answer has come.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const edit = (text: string) => {
    setTitle(text);
    setNote('');
    setKey(crypto.randomUUID());
  };
  const input = { articles: [{ articleId, languageCode, title, ...(revision && { ifRevision: revision }) }] };
  const preview = async () => {
    const { answer } = await send(PreviewRowsDocument, { input });
    if (!answer || !('results' in answer)) return setNote(answer?.message ?? '');
    const { changes, issues } = answer.results[0] ?? { changes: [], issues: [] };
    const texts = [...issues.map(({ message }) => message), ...changes.map(({ from, to }) => `${from} → ${to}`)];
    setNote(texts.join('; ') || 'Nothing would change.');
  };
  const save = async () => {
    const { answer } = await send(UpdateRowsDocument, { input, key });
    setKey(crypto.randomUUID());
    if (!answer || !('results' in answer)) return setNote(again(answer?.message, answer?.retryable));
    for (const outcome of answer.results) {
      setNote(noteOf(outcome));
      if ('article' in outcome && outcome.article) onArticle?.(outcome.article);
      if ('current' in outcome && outcome.current) onArticle?.(outcome.current);
    }
  };
  const button = (name: string, act: () => Promise<void>) => (
    <button
      type="button"
      onClick={() => act().catch(() => setNote('No answer. Again is safe: nothing is saved twice.'))}
    >
      {name}
    </button>
  );
  return (
    <li>
      <input aria-label={articleId} value={title} onChange={({ target }) => edit(target.value)} />
      {button('Preview', preview)}
      {button('Save', save)}
      <output>{note}</output>
    </li>
  );
}

function Page({ send }: { send: Send }) {
  const [articles, setArticles] = useState<readonly ArticleRowFragment[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  const read = useCallback(
    async (after: string | null) => {
      const rows = (await send(ArticleRowsDocument, { after })).articles;
      setArticles((shown) => [...(after ? shown : []), ...(rows?.nodes ?? [])]);
      setNext(rows?.pageInfo.hasNextPage ? rows.pageInfo.endCursor : null);
    },
    [send],
  );
  useEffect(() => {
    read(null).catch((error) => setProblem(error.message));
  }, [read]);
  const show = (article: ArticleRowFragment) =>
    setArticles((shown) => shown.map((other) => (other.id === article.id ? article : other)));
  return (
    <>
      <ul>
        {articles.map((article) => (
          <Row key={article.id} article={article} send={send} onArticle={show} />
        ))}
      </ul>
      {next && (
        <button type="button" onClick={() => read(next).catch((error) => setProblem(error.message))}>
          More
        </button>
      )}
      <p role="alert">{problem}</p>
    </>
  );
}

/** `askForGrant` gives a JWT of the person who is signed in at your identity provider. */
export const showPage = (root: Element, url: string, askForGrant: () => Promise<Grant>): void =>
  createRoot(root).render(<Page send={createSend(url, createJwtSource(askForGrant))} />);
