import type { Edition } from '../app.tsx';
import type { Session } from '../session.ts';
import type { View } from '../view.ts';
import { articleQueryOf, useArticleList } from './article-list.ts';
import { useCategories } from './categories.ts';
import { ColumnChoice } from './column-choice.tsx';
import { FilterBar, useTextRefusal } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';

interface ArticlesProps {
  session: Session;
  edition: Edition;
  view: View;
  changeView: (change: Partial<View>) => void;
}

export function Articles({ session: { api }, edition, view, changeView }: ArticlesProps) {
  const query = articleQueryOf(edition, view);
  const list = useArticleList(api, query);
  const categories = useCategories(api, edition);
  const textRefusal = useTextRefusal(api, edition);
  const selection = useSelection();
  return (
    <div className="articles">
      <FilterBar {...{ view, categories, textRefusal }} onChange={changeView} />
      <div className="bar">
        <p role="status">{statusOf(list)}</p>
        <SelectionBar {...{ api, query, list, selection }} />
        <ColumnChoice view={view} onChange={changeView} />
      </div>
      {list.failure && (
        <p className="bad" role="alert">
          {list.failure.message}{' '}
          <button type="button" onClick={list.reload}>
            Try again
          </button>
        </p>
      )}
      <Grid {...{ list, view, selection }} onChange={changeView} />
    </div>
  );
}

function statusOf({
  articles: { length },
  total,
  hasMore,
  isLoading,
  failure,
}: ReturnType<typeof useArticleList>): string {
  if (length === 0) return isLoading ? 'Loading…' : failure ? '' : 'No articles.';
  if (total !== null) return `${total} ${total === 1 ? 'article' : 'articles'}`;
  return hasMore ? `More than ${length} articles` : `${length} articles`;
}
