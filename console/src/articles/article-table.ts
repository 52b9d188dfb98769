import { type CellSelectionState, useTable } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { useShared } from '../shared.ts';
import type { ArticleList } from './article-list.ts';
import { COLUMNS, features, frozenOf, orderOf, SELECTION, WIDTHS, widthsOf, widthTexts } from './columns.ts';
import type { Refusals } from './filter-bar.tsx';
import type { Selection } from './selection.ts';

export interface GridProps {
  list: ArticleList;
  selection: Selection;
  refusals: Refusals;
  /** Reports which input of a cell or a paste was not accepted. */
  onProblems: (problems: readonly string[]) => void;
}

/** The table with the columns of the view, and the range of selected cells. */
export function useArticleTable(articles: readonly ArticleFieldsFragment[]) {
  const { view, changeView } = useShared();
  const { without, columns, frozen, widths } = view;
  const [cellSelection, onCellSelectionChange] = useState<CellSelectionState>([]);
  const ofView = useMemo(
    () => ({
      columnVisibility: Object.fromEntries(without.map((id) => [id, id === SELECTION || id === 'title'])),
      columnOrder: [...orderOf({ columns, frozen })],
      columnPinning: { start: [...frozenOf({ frozen })], end: [] },
      columnSizing: { ...widthsOf({ widths }) },
    }),
    [without, columns, frozen, widths],
  );
  return useTable({
    features,
    columns: COLUMNS,
    data: articles,
    defaultColumn: WIDTHS,
    getRowId: ({ articleId }) => articleId,
    autoResetCellSelection: false,
    enableMultiCellRangeSelection: false,
    columnResizeMode: 'onEnd',
    state: { ...ofView, cellSelection },
    onCellSelectionChange,
    onColumnSizingChange: (updater) => {
      const sizes = typeof updater === 'function' ? updater(ofView.columnSizing) : updater;
      changeView({ widths: widthTexts(sizes) });
    },
  });
}

export type Table = ReturnType<typeof useArticleTable>;

export type Column = ReturnType<Table['getVisibleLeafColumns']>[number];

export type Row = ReturnType<Table['getRowModel']>['rows'][number];
