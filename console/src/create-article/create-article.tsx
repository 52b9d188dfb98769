import { useRef, useState } from 'react';
import { NO_ANSWER } from '../api.ts';
import { AccountChoice } from '../changes/published-choice.tsx';
import { createKey } from '../changes/submit.ts';
import {
  CreateArticlesDocument,
  type CreateArticlesInput,
  type CreateOutcomeFieldsFragment,
  PreviewCreateArticlesDocument,
  type PreviewCreateArticlesMutation,
} from '../generated/graphql.ts';
import { Button, Choice, focus, Pane, Problem, SendButton, TextField, ViewLink } from '../parts.tsx';
import { useShared } from '../shared.ts';

const EDITORS = [
  ['', 'the usual one'],
  ['MARKDOWN', 'Markdown'],
  ['WYSIWYG', 'HTML'],
] as const;

interface Draft {
  readonly title: string;
  readonly categoryId: string;
  readonly editor: (typeof EDITORS)[number][0];
  /** The team account in whose name it is created; '' until one is chosen. */
  readonly userId: string;
}

/**
 * Creates an article in the default language of the project version, after a check of what is typed. `onEdited` is called with
 * true while that would be lost.
 */
export function CreateArticle({ onEdited }: { onEdited: (isEdited: boolean) => void }) {
  const { view, versions, versionLanguage, reload, changeView } = useShared();
  const { projectVersionId, languageCode } = versionLanguage;
  const [draft, setDraft] = useState<Draft>({ title: '', categoryId: view.category, editor: '', userId: '' });
  const version = versions.find((one) => one.projectVersionId === projectVersionId);
  const language = version?.languages?.find(({ isDefault }) => isDefault);
  const set = (members: Partial<Draft>) => {
    const next = { ...draft, ...members };
    setDraft(next);
    onEdited(next.title !== '');
  };
  return (
    <Pane title="New article">
      <div className="stack group-form">
        <p className="hint">
          It is created as a draft in {version?.name}, in {language?.name ?? 'its default language'}, from which others
          are translated.
        </p>
        <Fields draft={draft} set={set} />
        <Creation
          input={inputOf(draft, projectVersionId)}
          onCreated={(article) => {
            onEdited(false);
            reload();
            changeView({ tab: 'article', article, language: language?.code ?? languageCode });
          }}
        />
      </div>
    </Pane>
  );
}

function inputOf({ title, categoryId, editor, userId }: Draft, projectVersionId: string): CreateArticlesInput {
  const article = { title: title.trim(), projectVersionId, categoryId: categoryId || null };
  return { articles: [editor === '' ? article : { ...article, contentType: editor }], userId };
}

interface FieldsProps {
  draft: Draft;
  set: (members: Partial<Draft>) => void;
}

function Fields({ draft, set }: FieldsProps) {
  const { categories } = useShared();
  const paths = [['', 'None'], ...categories.map(({ categoryId, path }) => [categoryId, path] as const)] as const;
  return (
    <>
      <TextField ref={focus} label="Title" value={draft.title} maxLength={300} onChange={(title) => set({ title })} />
      <Choice
        label="Category"
        value={draft.categoryId}
        options={paths}
        onChange={(categoryId) => set({ categoryId })}
      />
      <Choice label="Editor" value={draft.editor} options={EDITORS} onChange={(editor) => set({ editor })} />
      <AccountChoice label="In the name of" userId={draft.userId} onChange={(userId) => set({ userId })} />
    </>
  );
}

type Preview = Extract<PreviewCreateArticlesMutation['previewed'], { readonly results: unknown }>;

interface CreationProps {
  input: CreateArticlesInput;
  onCreated: (articleId: string) => void;
}

/** Checks the input, and creates what was checked. A request without an answer is repeated with its key. */
function Creation({ input, onCreated }: CreationProps) {
  const { api } = useShared();
  const text = JSON.stringify(input);
  const attempt = useRef({ text: '', key: '' });
  const [checked, setChecked] = useState<{ readonly text: string; readonly preview: Preview } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<CreateOutcomeFieldsFragment | null>(null);
  const preview = checked?.text === text ? checked.preview : null;
  const check = async () => {
    setOutcome(null);
    const { data, failure } = await api.send(PreviewCreateArticlesDocument, { input });
    setProblem(data?.previewed ? null : (failure?.message ?? NO_ANSWER));
    if (data?.previewed) setChecked({ text, preview: data.previewed });
  };
  const send = async () => {
    if (attempt.current.text !== text) attempt.current = { text, key: createKey() };
    const { data, failure } = await api.send(CreateArticlesDocument, { input, idempotencyKey: attempt.current.key });
    const [result] = data?.result?.results ?? [];
    if (result === undefined) return failure?.message ?? NO_ANSWER;
    // Another attempt begins with another check.
    attempt.current = { text: '', key: '' };
    setChecked(null);
    setOutcome(result);
    if (result.__typename === 'ArticleCreated') onCreated(result.articleId);
    return null;
  };
  const [title] = input.articles.map((article) => article.title);
  return (
    <>
      <PreviewText preview={preview} />
      <Problem text={problem} />
      {outcome && <Outcome outcome={outcome} />}
      <div className="inline">
        <Button disabled={!title || input.userId === ''} onClick={check}>
          Check
        </Button>
        <SendButton label="Create the article" isReady={preview?.results[0]?.wouldSucceed ?? false} send={send} />
        {title && input.userId === '' && <span className="hint">Choose in whose name first.</span>}
      </div>
    </>
  );
}

function PreviewText({ preview }: { preview: Preview | null }) {
  const [result] = preview?.results ?? [];
  return (
    <div role="status">
      {result?.wouldSucceed && <p className="good">It can be created.</p>}
      {result?.issues.map(({ message }) => (
        <p key={message} className="bad">
          Would fail: {message}
        </p>
      ))}
      {preview?.warnings.map(({ description }) => (
        <p key={description} className="doubt">
          {description}
        </p>
      ))}
      {result?.existing && (
        <ViewLink to={{ tab: 'article', article: result.existing.articleId }}>Open the article that is there</ViewLink>
      )}
    </div>
  );
}

/** What became of it where it was not created, or that is not known. */
function Outcome({ outcome }: { outcome: CreateOutcomeFieldsFragment }) {
  const { __typename: name, details, retryable } = outcome;
  if (name === 'ArticleCreated') return null;
  if (name !== 'ArticleCreateUnknown') {
    const what = name === 'ArticleCreateFailed' ? 'Failed' : 'Not sent';
    const next = retryable ? ' It can be sent again safely.' : '';
    return <Problem text={`${what}: ${details ?? 'the service does not say why.'}${next}`} />;
  }
  return (
    <div role="alert" className="doubt">
      <p>Unknown: {details ?? 'there was no answer.'} Look at these before you create it again.</p>
      <ul aria-label="Articles of this title">
        {outcome.candidates.map(({ articleId, title, modifiedAt }) => (
          <li key={articleId}>
            <ViewLink to={{ tab: 'article', article: articleId }}>{title || articleId}</ViewLink> {modifiedAt}
          </li>
        ))}
      </ul>
      {outcome.candidates.length === 0 && <p>There is none now, but one may still appear.</p>}
    </div>
  );
}
