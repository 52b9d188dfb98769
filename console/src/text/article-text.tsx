import { lazy, useEffect, useState } from 'react';
import type { Api } from '../api.ts';
import { type Edit, keyOf, storedTextOf } from '../articles/edits.ts';
import { TextDiff } from '../changes/text-diff.tsx';
import { type ArticleFieldsFragment, type ArticleTextFragment, CurrentArticleDocument } from '../generated/graphql.ts';
import { LazyPart } from '../lazy-part.tsx';
import type { Work, WorkActions } from '../work.ts';
import { Languages } from './languages.tsx';

const Preview = lazy(() => import('./preview.tsx').then(({ Preview: component }) => ({ default: component })));

interface ArticleTextProps {
  api: Api;
  article: ArticleFieldsFragment;
  work: Work;
  actions: WorkActions;
  mayWrite: boolean;
  mainLanguage: string | undefined;
  /** What was updated last: a text among it is read again. */
  updated: readonly Edit[];
  onClose: () => void;
}

const SIDES = { preview: 'Preview', diff: 'Changes of the text', languages: 'Languages' } as const;

const SIDE_NAMES = ['preview', 'diff', 'languages'] as const satisfies readonly (keyof typeof SIDES)[];

/** The text of one article beside the grid. What is typed is a change like others, which is not sent yet. */
export function ArticleText({
  api,
  article,
  work,
  actions,
  mayWrite,
  mainLanguage,
  updated,
  onClose,
}: ArticleTextProps) {
  const [side, setSide] = useState<keyof typeof SIDES>('preview');
  const key = keyOf(article);
  const { stored, problem } = useStored(
    api,
    article,
    updated.find((edit) => keyOf(edit.article) === key),
  );
  const title = article.title ?? article.articleId;
  const before = stored ? storedTextOf(stored) : '';
  const text = work.edits.get(key)?.change.content ?? before;
  const isReadOnly = !mayWrite || stored?.contentType === 'BLOCK';
  return (
    <section className="text" aria-labelledby="text">
      <h2 id="text" className="bar">
        {title}
        {SIDE_NAMES.map((name) => (
          <button key={name} type="button" aria-pressed={side === name} onClick={() => setSide(name)}>
            {SIDES[name]}
          </button>
        ))}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </h2>
      <p className="bar" role="status">
        {stored === null && problem === null && 'Loading…'}
        {stored?.contentType === 'BLOCK' && 'Texts of the block editor cannot be edited here.'}
      </p>
      {problem !== null && <p className="bar bad">{problem}</p>}
      {stored && (
        <div className="sides">
          <textarea
            aria-label={`Text of ${title}`}
            lang={article.languageCode}
            readOnly={isReadOnly}
            value={text}
            onChange={({ target: { value } }) =>
              actions.edit([[article, { content: value === before ? undefined : value }]])
            }
          />
          <div className="side">
            <LazyPart>
              {side === 'preview' && <Preview text={text} isHtml={stored.contentType === 'WYSIWYG'} />}
              {side === 'diff' && (text === before ? <p>It is as stored.</p> : <TextDiff from={before} to={text} />)}
              {side === 'languages' && <Languages {...{ api, article, mainLanguage }} />}
            </LazyPart>
          </div>
        </div>
      )}
    </section>
  );
}

/** The article as it is stored, read again once an update of it has ended. */
function useStored(api: Api, { articleId, languageCode }: ArticleFieldsFragment, ownUpdate: Edit | undefined) {
  const [stored, setStored] = useState<ArticleTextFragment | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    // What is stored is another text then.
    setStored((known) => (ownUpdate?.change.content === undefined ? known : null));
    void api.send(CurrentArticleDocument, { articleId, languageCode }).then(({ data, failure }) => {
      if (!isWanted) return;
      setStored(data?.article ?? null);
      setProblem(failure?.message ?? (data?.article ? null : 'The article does not exist.'));
    });
    return () => {
      isWanted = false;
    };
  }, [api, articleId, languageCode, ownUpdate]);
  return { stored, problem };
}
