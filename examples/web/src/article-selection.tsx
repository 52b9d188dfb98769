import { useState } from 'react';
import { type Client, useClient } from 'urql';
import type { Option } from './choices.ts';
import { type ArticleFieldsFragment, ArticlesDocument, type LanguageScopeInput } from './generated/operations.ts';

/** Which articles are listed. */
export interface ListFilter extends LanguageScopeInput {
  categoryId: string | null;
}

const PAGE_SIZE = 100;
const MAX_ARTICLES = 1000;

interface CategoryFilterProps {
  categories: readonly Option<string>[];
  categoryId: string;
  onChange: (categoryId: string) => void;
}

/** The articles that are selected stay so, also where they are not listed. */
export function CategoryFilter({ categories, categoryId, onChange }: CategoryFilterProps) {
  return (
    <label className="inline">
      Only directly in
      <select value={categoryId} onChange={({ target }) => onChange(target.value)}>
        <option value="">any category</option>
        {categories.map(({ key, label, value, depth = 0 }) => (
          <option key={key} value={value}>
            {'\u00a0\u00a0'.repeat(depth)}
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SelectAllProps {
  filter: ListFilter;
  total: number | null;
  onSelect: (articles: readonly ArticleFieldsFragment[]) => void;
}

/** Selects the articles of all pages, which are read for it. */
export function SelectAll({ filter, total, onSelect }: SelectAllProps) {
  const client = useClient();
  const [message, setMessage] = useState('');
  const select = async () => {
    setMessage('Loading…');
    const { articles, problem } = await readAll(client, filter);
    onSelect(articles);
    setMessage(problem ?? `${articles.length} selected on all pages.`);
  };
  return (
    <p className="inline">
      <button type="button" disabled={total === 0} onClick={select}>
        Select all{total !== null && ` ${total}`}
      </button>
      <span role="status">{message}</span>
    </p>
  );
}

async function readAll(client: Client, filter: ListFilter) {
  const articles: ArticleFieldsFragment[] = [];
  let after: string | null = null;
  while (articles.length < MAX_ARTICLES) {
    const { data, error } = await client.query(ArticlesDocument, { ...filter, first: PAGE_SIZE, after }).toPromise();
    const page: NonNullable<typeof data>['articles'] | undefined = data?.articles;
    if (!page) return { articles, problem: `Only ${articles.length} could be read: ${error?.message ?? 'try again.'}` };
    articles.push(...page.nodes);
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return { articles };
  }
  return { articles, problem: `The first ${articles.length} are selected, which is the most at once.` };
}
