import { useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import type { ArticleList } from './article-list.ts';
import type { CategoryChoice } from './categories.ts';
import { COLUMNS, features } from './columns.tsx';
import type { Selection } from './selection.ts';

export interface GridProps {
  list: ArticleList;
  selection: Selection;
  categories: readonly CategoryChoice[];
  /** The reason why the list can't be sorted now; null where it can. */
  sortRefusal: string | null;
  /** Reports which input of a cell or a paste was not accepted. */
  onProblems: (problems: readonly string[]) => void;
}

export const useArticleTable = (articles: readonly ArticleFieldsFragment[], without: readonly string[]) => {
  const columnVisibility = useMemo(() => Object.fromEntries(without.map((id) => [id, false])), [without]);
  return useTable({
    features,
    columns: COLUMNS,
    data: articles,
    getRowId: ({ articleId }) => articleId,
    state: { columnVisibility },
  });
};

export type Row = ReturnType<ReturnType<typeof useArticleTable>['getRowModel']>['rows'][number];
