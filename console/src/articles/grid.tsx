import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useRef } from 'react';
import { useShared } from '../shared.ts';
import type { ArticleList } from './article-list.ts';
import { type GridProps, type Table, useArticleTable } from './article-table.ts';
import { GridHeader } from './grid-header.tsx';
import { GridRow, rowPropsOf } from './grid-row.tsx';
import { useCells } from './use-cells.tsx';

const ROW_PIXELS = 36;
/** Below the last row, where the bar of a selection may lie. */
const ROOM_PIXELS = 96;
const OVERSCAN_ROWS = 8;

/** The next page is read when so many rows are left below. */
const ROWS_AHEAD = 50;

export function Grid(props: GridProps) {
  const { list } = props;
  const shared = useShared();
  const table = useArticleTable(list.articles);
  const scroll = useRef<HTMLDivElement>(null);
  const active = useRef(0);
  const columns = table.getVisibleLeafColumns();
  const { rows } = table.getRowModel();
  const virtualizer = useRows(scroll, rows.length, active);
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index);
  const cells = useCells(props, { table, columnIds: columns.map(({ id }) => id), scrollTo });
  active.current = cells.active.index;
  usePagesAhead(list, virtualizer.range?.endIndex ?? 0);
  return (
    <div className="grid scroll" ref={scroll} style={styleOf(table)}>
      <table
        role="grid"
        aria-label="Articles"
        aria-rowcount={list.total === null ? -1 : list.total + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-busy={list.isLoading}
        {...cells.handlers}
      >
        <GridHeader table={table} refusals={props.refusals} />
        <tbody className="rows" style={{ height: virtualizer.getTotalSize() + ROOM_PIXELS }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <GridRow
                  key={row.id}
                  row={row}
                  start={start}
                  columns={columns}
                  {...rowPropsOf(row, { ...props, ...shared }, cells)}
                />
              )
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The rows that are rendered. The active one remains, so that the focus is not lost as one scrolls. */
function useRows(scroll: RefObject<HTMLDivElement | null>, count: number, active: RefObject<number>) {
  return useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN_ROWS,
    // The header covers the first row, and the bar of a selection the last ones.
    scrollPaddingStart: ROW_PIXELS,
    scrollPaddingEnd: ROOM_PIXELS,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return active.current >= count || indexes.includes(active.current)
        ? indexes
        : [...indexes, active.current].sort((one, other) => one - other);
    },
  });
}

/** The widths of the columns, and the distances of frozen ones from the edge. The rest of the width is empty. */
function styleOf(table: Table): CSSProperties {
  const frozen = table.getStartVisibleLeafColumns();
  const widths = table.getVisibleLeafColumns().map((column) => `${column.getSize()}px`);
  return Object.fromEntries([
    ['--columns', `${widths.join(' ')} 1fr`],
    ['--width', `${table.getTotalSize()}px`],
    ...frozen.map((column) => [`--${column.id}-at`, `${column.getStart('start')}px`]),
  ]);
}

/** Reads the next page before its position is visible. */
function usePagesAhead({ articles, hasMore, failure, loadMore }: ArticleList, lastIndex: number): void {
  useEffect(() => {
    if (hasMore && failure === null && lastIndex >= articles.length - ROWS_AHEAD) loadMore();
  });
}
