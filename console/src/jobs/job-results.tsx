import { useMemo, useState } from 'react';
import { findArticles } from '../articles/article-list.ts';
import { outcomeText } from '../articles/outcome-text.ts';
import {
  type ArticleFieldsFragment,
  ArticleUpdateJobResultsDocument,
  type ItemOutcome,
  type JobFieldsFragment,
  type PageFieldsFragment,
} from '../generated/graphql.ts';
import { Button, Choice, Problem, ViewLink } from '../parts.tsx';
import { useAnswer, useLast, useShared } from '../shared.ts';

const PAGE_SIZE = 100;

const CHOICES = [
  ['', 'All'],
  ['FAILED', 'Failed'],
  ['UNKNOWN', 'Unknown'],
  ['NOT_ATTEMPTED', 'Not sent'],
  ['UPDATED', 'Updated'],
] as const;

/** The outcomes of a job's items, in pages. They are read again when the counts have changed. */
export function JobResults({ job: { id, done, summary } }: { job: JobFieldsFragment }) {
  const [choice, setChoice] = useState<ItemOutcome | ''>('');
  const { after, buttonsOf, restart } = usePages(PAGE_SIZE);
  const variables = { id, outcomes: choice === '' ? null : [choice], first: PAGE_SIZE, after };
  const { data, problem } = useAnswer(ArticleUpdateJobResultsDocument, { variables, version: summary.pending });
  const { nodes = [], pageInfo } = data?.articleUpdateJob?.results ?? {};
  const articleOf = useTitles(done ? nodes : []);
  return (
    <section aria-label="Items" className="stack">
      <div className="inline">
        <Choice
          label="Show"
          value={choice}
          options={CHOICES}
          onChange={(next) => {
            restart();
            setChoice(next);
          }}
        />
        {buttonsOf(nodes.length, pageInfo)}
      </div>
      <Problem text={problem} />
      {data && nodes.length === 0 && <p className="hint">{done ? 'There is none.' : 'There is none so far.'}</p>}
      <ul aria-label="Outcomes" className="lines">
        {nodes.map((outcome) => (
          <li key={outcome.index} className="inline">
            <span>
              <ArticleLink articleId={outcome.articleId} article={articleOf(outcome.articleId)} />
            </span>{' '}
            <span className={outcomeText(outcome).tone}>{outcomeText(outcome).text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ArticleLinkProps {
  articleId: string;
  article: ArticleFieldsFragment | undefined;
}

/** The title of an article as a link to its row, beside the link to its page where the service tells that. */
export function ArticleLink({ articleId, article }: ArticleLinkProps) {
  const { title, url = null } = article ?? {};
  if (!title) return <strong>{articleId}</strong>;
  return (
    <>
      <ViewLink to={{ tab: 'articles', text: title }}>{title}</ViewLink>{' '}
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer" aria-label={`Page of ${title}`}>
          ↗
        </a>
      )}
    </>
  );
}

/** The cursor of the page of a list that is shown, and the buttons to others, which stay so that none loses the focus. */
export function usePages(size: number) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const before = cursors.length * size;
  const buttonsOf = (count: number, info: PageFieldsFragment | undefined) => {
    const next = info?.hasNextPage ? info.endCursor : null;
    return (
      (before > 0 || next !== null) && (
        <span className="inline">
          <Button aria-disabled={before === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            Previous page
          </Button>
          {before + 1} to {before + count}
          <Button aria-disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>
            Next page
          </Button>
        </span>
      )
    );
  };
  return { after: cursors.at(-1) ?? null, buttonsOf, restart: () => setCursors([]) };
}

/** The articles of items, as this page has changed them, or else in the list of the version and language that is shown. */
export function useTitles(items: readonly { readonly articleId: string }[]) {
  const { api, versionLanguage, work } = useShared();
  const known = useMemo(() => {
    const ended = [...work.ended.values()].flatMap(({ toUndo, rest }) => [...toUndo, ...rest.map(({ item }) => item)]);
    const edits = [...work.edits.values(), ...work.unknown.values(), ...ended];
    return new Map(edits.map(({ article }) => [article.articleId, article]));
  }, [work]);
  const ids = items.map(({ articleId }) => articleId);
  const wanted = ids.length > 0 ? { versionLanguage, ids } : null;
  const { value } = useLast(wanted, (asked) => findArticles(api, asked.versionLanguage, asked.ids));
  return (articleId: string) => value?.articles.get(articleId) ?? known.get(articleId);
}
