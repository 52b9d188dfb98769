import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useMemo, useRef } from 'react';
import { type Shared, useShared } from '../shared.ts';
import type { ArticleList } from './article-list.ts';
import { type GridProps, type Row, type Table, useArticleTable } from './article-table.ts';
import { keyOf } from './edits.ts';
import { GridHeader } from './grid-header.tsx';
import { type GridColumn, GridRow } from './grid-row.tsx';
import { rowStateOf } from './outcome-text.ts';
import { useCells } from './use-cells.tsx';

const ROW_PIXELS = 36;
/** Below the last row, where the bar of a selection may lie. */
const ROOM_PIXELS = 96;
const OVERSCAN_ROWS = 8;

/** The next page is read when so many rows are left below. */
const ROWS_AHEAD = 50;

type GridStyle = CSSProperties & Record<'--columns' | '--width', string>;

export function Grid(props: GridProps) {
  const { list } = props;
  const shared = useShared();
  const table = useArticleTable(list.articles);
  const scroll = useRef<HTMLDivElement>(null);
  const active = useRef(0);
  const columns = useGridColumns(table);
  const { rows } = table.getRowModel();
  const virtualizer = useRows(scroll, rows.length, active);
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index);
  const cells = useCells(props, { table, columnIds: columns.map(({ id }) => id), scrollTo });
  active.current = cells.active.index;
  usePagesAhead(list, virtualizer.range?.endIndex ?? 0);
  return (
    <div className="grid scroll" ref={scroll} style={styleOf(columns)}>
      <table
        role="grid"
        aria-label="Articles"
        aria-rowcount={list.total === null ? -1 : list.total + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-busy={list.isLoading}
        {...cells.handlers}
      >
        <GridHeader table={table} columns={columns} refusal={props.sortRefusal} />
        <tbody className="rows" style={{ height: virtualizer.getTotalSize() + ROOM_PIXELS }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            const place = { index, start, columns };
            return (
              row && (
                <GridRow
                  key={row.id}
                  row={row}
                  {...place}
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

/** The columns that are shown, from left to right. They change only when the table shows others. */
function useGridColumns(table: Table): readonly GridColumn[] {
  const shown = table.getVisibleLeafColumns();
  const ordered = [
    ...shown.filter((column) => column.getIsPinned()),
    ...shown.filter((column) => !column.getIsPinned()),
  ];
  let at = 0;
  const columns = ordered.map((column): GridColumn => {
    const width = column.getSize();
    const frozenAt = column.getIsPinned() ? at : null;
    at += width;
    return { id: column.id, width, frozenAt };
  });
  const key = JSON.stringify(columns);
  return useMemo(() => JSON.parse(key), [key]);
}

/** The rest of the width is empty. */
function styleOf(columns: readonly GridColumn[]): GridStyle {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  return { '--columns': `${columns.map((column) => `${column.width}px`).join(' ')} 1fr`, '--width': `${width}px` };
}

/** Reads the next page before its position is visible. */
function usePagesAhead({ articles, hasMore, failure, loadMore }: ArticleList, lastIndex: number): void {
  useEffect(() => {
    if (hasMore && failure === null && lastIndex >= articles.length - ROWS_AHEAD) loadMore();
  });
}

function rowPropsOf(
  { row, index }: { readonly row: Row; readonly index: number },
  { selection, work, categories, mayWrite }: GridProps & Shared,
  { active, range, fillTo, editor, wantsFocus }: ReturnType<typeof useCells>,
) {
  const key = keyOf(row.original);
  const isActive = active.index === index;
  const { text, tone } = rowStateOf(work, key);
  const { top, bottom } = range;
  const isInRange = index >= top && index <= bottom;
  const isFilled = fillTo !== null && ((index > bottom && index <= fillTo) || (index < top && index >= fillTo));
  return {
    active: isActive ? active.columnId : null,
    editor: isActive ? editor : null,
    left: isInRange || isFilled ? range.left : null,
    right: isInRange || isFilled ? range.right : null,
    isBottom: isInRange && index === bottom,
    hasHandle: mayWrite,
    isFilled,
    isSelected: selection.articles.has(row.id),
    change: work.edits.get(key)?.change,
    state: text,
    tone,
    categories,
    toggle: selection.toggle,
    onDrag: selection.drag,
    wantsFocus,
  };
}
