import { useEffect, useId, useState } from 'react';
import type { Api } from '../api.ts';
import { keyOf } from '../articles/edits.ts';
import { ChangeList, type CheckedEdit } from '../changes/change-list.tsx';
import { type PreviewFieldsFragment, TeamAccountsDocument, type TeamAccountsQuery } from '../generated/graphql.ts';
import type { WorkActions } from '../work.ts';
import {
  type KeyedPart,
  keyedPartsOf,
  type PublicationRequest,
  type PublicationTerms,
  previewPublication,
  writePublication,
} from './publish.ts';

const NAMES = { publish: 'Publish', unpublish: 'Unpublish' } as const;

interface PublicationProps {
  api: Api;
  request: PublicationRequest;
  actions: WorkActions;
  /** Leaves articles out. */
  onChange: (request: PublicationRequest) => void;
  /** All is sent: the outcomes stand in the rows. */
  onDone: () => void;
}

/** What would become of the articles in whose name, and then the button that does it. */
export function Publication({ api, request, actions, onChange, onDone }: PublicationProps) {
  const { kind, articles } = request;
  const [terms, setTerms] = useState<PublicationTerms>({ kind, userId: '', message: '' });
  const { previews, problem } = usePreviews(api, request, { ...terms, kind });
  const checked = articles.flatMap((article): readonly CheckedEdit[] => {
    const preview = previews.get(keyOf(article));
    return preview ? [{ edit: { article, change: {} }, preview }] : [];
  });
  const failing = checked.filter(({ preview }) => !preview.wouldSucceed);
  const drop = (items: readonly CheckedEdit[]) => {
    const keys = new Set(items.map(({ edit }) => keyOf(edit.article)));
    onChange({ kind, articles: articles.filter((article) => !keys.has(keyOf(article))) });
  };
  const isChecked = checked.length === articles.length && articles.length > 0;
  return (
    <section className="pane" aria-labelledby="publication">
      <h2 id="publication" className="bar">
        {NAMES[kind]} {articles.length} {articles.length === 1 ? 'article' : 'articles'}
      </h2>
      <Terms api={api} terms={terms} onChange={setTerms} />
      <p className="bar" role="status">
        {terms.userId === '' && 'Choose in whose name first.'}
        {isChecked && `Checked: ${failing.length} would fail.`}
        {terms.userId !== '' && !isChecked && problem === null && `Checking… ${checked.length} of ${articles.length}`}
      </p>
      {problem !== null && (
        <p className="bar bad" role="alert">
          {problem}
        </p>
      )}
      <ChangeList items={[...failing, ...checked.filter((item) => !failing.includes(item))]} onDrop={drop} />
      {failing.length > 0 && (
        <p className="bar">
          <button type="button" onClick={() => drop(failing)}>
            Leave out the {failing.length} that would fail
          </button>
        </p>
      )}
      <PublishButton
        key={`${terms.userId} ${terms.message} ${articles.length}`}
        {...{ api, request, actions, isChecked, onDone }}
        terms={{ ...terms, kind }}
      />
    </section>
  );
}

/** Checks the articles anew when the account is another. */
function usePreviews(api: Api, { articles }: PublicationRequest, { kind, userId }: PublicationTerms) {
  const [previews, setPreviews] = useState<ReadonlyMap<string, PreviewFieldsFragment>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (userId === '') return;
    let isWanted = true;
    setPreviews(new Map());
    setProblem(null);
    void previewPublication(api, { articles, terms: { kind, userId, message: '' } }, (answer) => {
      if (!isWanted) return false;
      if ('problem' in answer) setProblem(answer.problem);
      else
        setPreviews(
          (current) => new Map([...current, ...answer.items.map(([article, item]) => [keyOf(article), item] as const)]),
        );
      return !('problem' in answer);
    });
    return () => {
      isWanted = false;
    };
  }, [api, articles, kind, userId]);
  return { previews, problem };
}

const MOST_ACCOUNTS = 100;

type Accounts = NonNullable<TeamAccountsQuery['teamAccounts']>['nodes'];

interface TermsProps {
  api: Api;
  terms: PublicationTerms;
  onChange: (terms: PublicationTerms) => void;
}

function Terms({ api, terms, onChange }: TermsProps) {
  const id = useId();
  const [accounts, setAccounts] = useState<Accounts>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    void api.send(TeamAccountsDocument, { first: MOST_ACCOUNTS }).then(({ data, failure }) => {
      setAccounts(data?.teamAccounts?.nodes ?? []);
      setProblem(failure?.message ?? null);
    });
  }, [api]);
  return (
    <p className="bar">
      <label htmlFor={`${id}-account`}>In the name of</label>
      <select
        id={`${id}-account`}
        value={terms.userId}
        onChange={({ target }) => onChange({ ...terms, userId: target.value })}
      >
        <option value="" disabled>
          choose
        </option>
        {accounts.map(({ userId, firstName, lastName }) => (
          <option key={userId} value={userId}>
            {[firstName, lastName].filter(Boolean).join(' ') || userId}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-message`}>Message</label>
      <input
        id={`${id}-message`}
        maxLength={1_000}
        value={terms.message}
        onChange={({ target }) => onChange({ ...terms, message: target.value })}
      />
      {problem !== null && (
        <span className="bad" role="alert">
          {problem}
        </span>
      )}
    </p>
  );
}

interface PublishButtonProps extends Pick<PublicationProps, 'api' | 'request' | 'actions' | 'onDone'> {
  terms: PublicationTerms;
  isChecked: boolean;
}

/** A part without a response is sent again with its key, so that it is not done twice. */
function PublishButton({ api, request, terms, actions, isChecked, onDone }: PublishButtonProps) {
  const [parts, setParts] = useState<readonly KeyedPart[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const send = async () => {
    setIsSending(true);
    setProblem(null);
    let left = parts ?? keyedPartsOf(request.articles);
    for (const part of left) {
      const answer = await writePublication(api, part, terms);
      if ('problem' in answer) {
        setProblem(answer.problem);
        break;
      }
      actions.tell(
        answer.items.map(([article, outcome]) => ({ item: { article, change: {}, aim: terms.kind }, outcome })),
      );
      left = left.slice(1);
    }
    setParts(left);
    setIsSending(false);
    if (left.length === 0) onDone();
  };
  const count = request.articles.length;
  return (
    <div className="bar">
      <button type="button" className="primary" disabled={isSending || (parts === null && !isChecked)} onClick={send}>
        {problem === null ? `${NAMES[terms.kind]} ${count} ${count === 1 ? 'article' : 'articles'}` : 'Try again'}
      </button>
      <span role="status">{isSending && 'Sending…'}</span>
      {problem !== null && (
        <span className="bad" role="alert">
          {problem} Trying again is safe: nothing is done twice.
        </span>
      )}
    </div>
  );
}
