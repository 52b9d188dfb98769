import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import { STATUSES } from '../articles/cell-values.ts';
import { keyOf, type StoredArticle, storedTextOf } from '../articles/edits.ts';
import { rowStateOf } from '../articles/outcome-text.ts';
import { TextDiff } from '../changes/change-list.tsx';
import { ArticlePageDocument } from '../generated/graphql.ts';
import { Button, focus, Problem, TextField } from '../parts.tsx';
import { useAnswer, useMade, useShared } from '../shared.ts';
import { Languages } from './languages.tsx';
import { NewerWrite } from './newer-write.tsx';
import { TextEditor } from './text-editor.tsx';

/** The article of the view in its language, which is read again when it is among the last updates. What is typed is an unsent change like others. */
export function ArticlePage() {
  const { view, versionLanguage, updated } = useShared();
  const variables = { articleId: view.article, languageCode: versionLanguage.languageCode || view.language };
  const [readings, setReadings] = useState(0);
  const last = updated.find(({ article }) => keyOf(article) === keyOf(variables));
  const { data, isLoading, problem } = useAnswer(ArticlePageDocument, {
    variables,
    version: `${readings} ${last?.article.modifiedAt}`,
  });
  const stored = isLoading ? null : data?.article;
  const readAgain = () => setReadings(readings + 1);
  return (
    <section className="column" aria-label="Article" tabIndex={-1} ref={focus}>
      <p className="bar" role="status">
        {isLoading && 'Loading…'}
        {stored?.contentType === 'BLOCK' && 'Texts of the block editor cannot be edited here.'}
      </p>
      <Problem text={problem} onAgain={readAgain} />
      <Problem text={stored === null && !isLoading && problem === null ? 'The article does not exist.' : null} />
      {stored && <Article stored={stored} onReload={readAgain} />}
    </section>
  );
}

const SIDES = { preview: 'Preview', diff: 'Changes of the text', languages: 'Languages' };

function Article({ stored, onReload }: { stored: StoredArticle; onReload: () => void }) {
  const { work, actions, mayWrite } = useShared();
  const edit = work.edits.get(keyOf(stored));
  const { languageCode, contentType, url, status, latestVersionNumber } = stored;
  const title = stored.title || stored.articleId;
  const state = rowStateOf(work, keyOf(stored));
  const before = storedTextOf(stored);
  const text = edit?.change.content ?? before;
  const isHtml = contentType === 'WYSIWYG';
  return (
    <>
      <div className="bar">
        <h2>{title}</h2>
        <span className="hint">
          {[languageCode, status && STATUSES[status], latestVersionNumber && `version ${latestVersionNumber}`]
            .filter(Boolean)
            .join(', ')}
        </span>
        {url !== null && (
          <a href={url} target="_blank" rel="noreferrer">
            Its page for readers
          </a>
        )}
        <Button onClick={onReload}>Read it again</Button>
        <span className={state.tone}>{state.text}</span>
      </div>
      {edit && <NewerWrite edit={edit} stored={stored} />}
      <div className="bar wide">
        <TitleField stored={stored} />
      </div>
      <div className="sides">
        <TextEditor
          label={`Text of ${title}`}
          format={isHtml ? 'html' : 'markdown'}
          lang={languageCode}
          isReadOnly={!mayWrite || contentType === 'BLOCK'}
          text={text}
          onChange={(value) =>
            actions.edit([[stored, { content: value === before ? undefined : value }]], { isText: true })
          }
        />
        <Tabs.Root className="side" defaultValue="preview">
          <Tabs.List className="inline" aria-label="Beside the text">
            {Object.entries(SIDES).map(([value, name]) => (
              <Tabs.Tab key={value} className="sign" value={value}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel className="side" value="preview">
            <Preview text={text} isHtml={isHtml} lang={languageCode} />
          </Tabs.Panel>
          <Tabs.Panel className="side" value="diff">
            {text === before ? <p>It is as stored.</p> : <TextDiff from={before} to={text} />}
          </Tabs.Panel>
          <Tabs.Panel className="side" value="languages">
            <Languages article={stored} />
          </Tabs.Panel>
        </Tabs.Root>
      </div>
    </>
  );
}

/** The title. An empty one is refused where the changes are checked. */
function TitleField({ stored }: { stored: StoredArticle }) {
  const { work, actions, mayWrite } = useShared();
  const value = work.edits.get(keyOf(stored))?.change.title ?? stored.title ?? '';
  const change = (title: string) => actions.edit([[stored, { title }]], { isText: true });
  return (
    <TextField
      label="Title"
      value={value}
      maxLength={300}
      lang={stored.languageCode}
      readOnly={!mayWrite}
      onChange={change}
      onBlur={() => value.trim() !== value && change(value.trim())}
    />
  );
}

/** The style of the preview, which is a file of the page's own origin. */
const styleAddress = (): string => document.querySelector('meta[name="preview"]')?.getAttribute('content') ?? '';

/** A text as readers see it, without its images and links. No script can run in its frame. */
function Preview({ text, isHtml, lang }: { text: string; isHtml: boolean; lang: string }) {
  const html = useMade({ kind: 'html', text, isHtml });
  if (html === undefined) return <p className="hint">Loading…</p>;
  if (html !== null) {
    const page = `<link rel="stylesheet" href="${styleAddress()}"><div dir="auto" lang="${encodeURIComponent(lang)}">${html}</div>`;
    // Each text has a frame of its own, since another one in the same frame would be a step of the browser's history.
    return <iframe key={page} title="Preview" sandbox="" srcDoc={page} />;
  }
  return (
    <>
      <p className="doubt">A preview of this text could not be made in a second, so it is shown as it is written.</p>
      <pre className="plain-text">{text}</pre>
    </>
  );
}
