import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useRef } from 'react';
import { type Shared, useShared } from '../shared.ts';
import { SELECTION } from './active-cell.ts';
import type { ArticleList } from './article-list.ts';
import { type GridProps, type Row, useArticleTable } from './article-table.ts';
import { keyOf } from './edits.ts';
import { GridHeader } from './grid-header.tsx';
import { GridRow } from './grid-row.tsx';
import { useCells } from './use-cells.tsx';

const ROW_PIXELS = 36;
const SELECTION_PIXELS = 40;
const OVERSCAN_ROWS = 8;

/** The next page is read when so many rows are left below. */
const ROWS_AHEAD = 50;

type GridStyle = CSSProperties & Record<'--columns' | '--width', string>;

export function Grid(props: GridProps) {
  const { list } = props;
  const shared = useShared();
  const { view } = shared;
  const table = useArticleTable(list.articles, view.without);
  const scroll = useRef<HTMLDivElement>(null);
  const columns = table.getVisibleLeafColumns();
  const { rows } = table.getRowModel();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN_ROWS,
    // The header covers the first row.
    scrollPaddingStart: ROW_PIXELS,
  });
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index);
  const cells = useCells(props, { columnIds: [SELECTION, ...columns.map(({ id }) => id)], scrollTo });
  const items = virtualizer.getVirtualItems();
  usePagesAhead(list, items.at(-1)?.index ?? 0);
  const headers = columns.map(({ id, columnDef }) => ({ id, name: String(columnDef.header) }));
  return (
    <div className="grid scroll" ref={scroll} style={styleOf(columns.map((column) => column.getSize()))}>
      <table
        role="grid"
        aria-label="Articles"
        aria-rowcount={list.total === null ? -1 : list.total + 1}
        aria-colcount={columns.length + 1}
        aria-busy={list.isLoading}
        {...cells.handlers}
      >
        <GridHeader columns={headers} refusal={props.sortRefusal} />
        <tbody className="rows" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <GridRow
                  key={row.id}
                  row={row}
                  index={index}
                  start={start}
                  {...rowPropsOf({ row, index }, { ...props, ...shared }, cells)}
                />
              )
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The first column takes the remaining width. */
function styleOf([first = 0, ...others]: readonly number[]): GridStyle {
  const widthInAll = others.reduce((sum, size) => sum + size, SELECTION_PIXELS + first);
  const rest = others.map((size) => `${size}px`).join(' ');
  return { '--columns': `${SELECTION_PIXELS}px minmax(${first}px, 1fr) ${rest}`, '--width': `${widthInAll}px` };
}

/** Reads the next page before its position is visible. */
function usePagesAhead({ articles, hasMore, failure, loadMore }: ArticleList, lastIndex: number): void {
  useEffect(() => {
    if (hasMore && failure === null && lastIndex >= articles.length - ROWS_AHEAD) loadMore();
  });
}

function rowPropsOf(
  { row, index }: { readonly row: Row; readonly index: number },
  { view, selection, work, categories }: GridProps & Shared,
  { active, editor, wantsFocus }: ReturnType<typeof useCells>,
) {
  const key = keyOf(row.original);
  const isActive = active.index === index;
  return {
    columnIds: view.without.join(' '),
    active: isActive ? active.columnId : null,
    editor: isActive ? editor : null,
    isSelected: selection.articles.has(row.id),
    change: work.edits.get(key)?.change,
    outcome: work.outcomes.get(key),
    isUnderWay: work.underWay.has(key),
    categories,
    toggle: selection.toggle,
    wantsFocus,
  };
}
