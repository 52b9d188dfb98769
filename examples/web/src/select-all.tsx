import { useEffect, useRef, useState } from 'react';
import { type Client, useClient } from 'urql';
import { type ArticleFieldsFragment, ArticlesDocument, type ArticlesQueryVariables } from './generated/graphql.ts';

/** Which articles are listed. */
type ArticleList = Omit<ArticlesQueryVariables, 'first' | 'after'>;

const PAGE_SIZE = 100;
const MAX_ARTICLES = 1000;

interface SelectAllProps {
  list: ArticleList;
  /** Null when the service reports no total. */
  total: number | null;
  /** True while the list is being read, and the total may be that of another list. */
  isStale: boolean;
  onSelect: (articles: readonly ArticleFieldsFragment[]) => void;
}

/** Selects the articles of all pages, which are read for it. Nothing is selected when it disappears meanwhile. */
export function SelectAll({ list, total, isStale, onSelect }: SelectAllProps) {
  const client = useClient();
  const [message, setMessage] = useState('');
  const isReading = useRef(false);
  useEffect(
    () => () => {
      isReading.current = false;
    },
    [],
  );
  const select = async () => {
    if (isReading.current) return;
    isReading.current = true;
    setMessage('Loading…');
    const { articles, problem } = await readAll(client, list, () => isReading.current);
    if (!isReading.current) return;
    isReading.current = false;
    onSelect(articles);
    setMessage(problem ?? `${articles.length} selected on all pages.`);
  };
  return (
    <p className="inline">
      <button type="button" disabled={isStale || total === 0} onClick={select}>
        {labelOf(total)}
      </button>
      <span role="status">{message}</span>
    </p>
  );
}

function labelOf(total: number | null): string {
  if (total === null) return 'Select all';
  return total > MAX_ARTICLES ? `Select the first ${MAX_ARTICLES} of ${total}` : `Select all ${total}`;
}

async function readAll(client: Client, list: ArticleList, isWanted: () => boolean) {
  const articles: ArticleFieldsFragment[] = [];
  let after: string | null = null;
  while (isWanted() && articles.length < MAX_ARTICLES) {
    const { data, error } = await client.query(ArticlesDocument, { ...list, first: PAGE_SIZE, after }).toPromise();
    const page: NonNullable<typeof data>['articles'] | undefined = data?.articles;
    if (!page) return { articles, problem: `Only ${articles.length} could be read: ${error?.message ?? 'try again.'}` };
    articles.push(...page.nodes);
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return { articles };
  }
  return { articles, problem: `The first ${articles.length} are selected, which is the most at once.` };
}
