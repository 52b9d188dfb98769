import { useState } from 'react';
import { type Edit, keyOf, storedTextOf } from '../articles/edits.ts';
import type { VersionLanguage } from '../articles/version-language.ts';
import { TextDiff } from '../changes/change-list.tsx';
import { type ArticleFieldsFragment, CurrentArticleDocument } from '../generated/graphql.ts';
import { lazyPart } from '../lazy-part.tsx';
import { Button, focus, Problem, Tabs } from '../parts.tsx';
import type { ProjectVersions } from '../session.ts';
import { useShared } from '../shared.ts';
import { useAnswer } from '../use-answer.ts';
import { Languages } from './languages.tsx';

const Preview = lazyPart(async () => (await import('./preview.tsx')).Preview);

const mainLanguageOf = (versions: ProjectVersions, { projectVersionId }: VersionLanguage): string | undefined =>
  versions
    .find((version) => version.projectVersionId === projectVersionId)
    ?.languages?.find(({ isDefault }) => isDefault)?.code;

interface ArticleTextProps {
  article: ArticleFieldsFragment;
  versionLanguage: VersionLanguage;
  /** The last updates. If the text is among them, it is read again. */
  updated: readonly Edit[];
  onClose: () => void;
}

const SIDES = [
  ['preview', 'Preview'],
  ['diff', 'Changes of the text'],
  ['languages', 'Languages'],
] as const;

/** The text of one article, next to the grid. What is typed is an unsent change like others. */
export function ArticleText({ article, versionLanguage, updated, onClose }: ArticleTextProps) {
  const { work, actions, mayWrite, versions } = useShared();
  const [side, setSide] = useState<(typeof SIDES)[number][0]>('preview');
  const key = keyOf(article);
  const { articleId, languageCode } = article;
  const { data, isLoading, problem } = useAnswer(CurrentArticleDocument, {
    variables: { articleId, languageCode },
    version: updated.find((edit) => keyOf(edit.article) === key),
  });
  const stored = isLoading ? null : data?.article;
  const title = article.title ?? article.articleId;
  const before = stored ? storedTextOf(stored) : '';
  const text = work.edits.get(key)?.change.content ?? before;
  const isReadOnly = !mayWrite || stored?.contentType === 'BLOCK';
  return (
    <section className="text column" aria-labelledby="text" tabIndex={-1} ref={focus}>
      <div className="bar">
        <h2 id="text">{title}</h2>
        <Button onClick={onClose}>Close</Button>
      </div>
      <p className="bar" role="status">
        {isLoading && 'Loading…'}
        {stored?.contentType === 'BLOCK' && 'Texts of the block editor cannot be edited here.'}
      </p>
      <Problem text={problem ?? (stored === null && !isLoading ? 'The article does not exist.' : null)} />
      {stored && (
        <div className="sides">
          <textarea
            aria-label={`Text of ${title}`}
            lang={article.languageCode}
            readOnly={isReadOnly}
            value={text}
            onChange={({ target: { value } }) =>
              actions.edit([[article, { content: value === before ? undefined : value }]], { isText: true })
            }
          />
          <Tabs label="Beside the text" chosen={side} onChange={setSide} tabs={SIDES}>
            {side === 'preview' && <Preview text={text} isHtml={stored.contentType === 'WYSIWYG'} />}
            {side === 'diff' && (text === before ? <p>It is as stored.</p> : <TextDiff from={before} to={text} />)}
            {side === 'languages' && (
              <Languages article={article} mainLanguage={mainLanguageOf(versions, versionLanguage)} />
            )}
          </Tabs>
        </div>
      )}
    </section>
  );
}
