import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import type { View } from '../view.ts';
import type { ArticleList } from './article-list.ts';
import { COLUMNS, features, ORDERS } from './columns.tsx';
import type { Selection } from './selection.ts';

const ROW_PIXELS = 36;
const SELECTION_PIXELS = 40;
const OVERSCAN_ROWS = 8;

/** The next page is read when so many rows are left below. */
const ROWS_AHEAD = 50;

type GridStyle = CSSProperties & Record<'--columns' | '--width', string>;

interface GridProps {
  list: ArticleList;
  view: View;
  selection: Selection;
  onChange: (change: Partial<View>) => void;
}

export function Grid({ list, view, selection, onChange }: GridProps) {
  const columnVisibility = useMemo(() => Object.fromEntries(view.without.map((id) => [id, false])), [view.without]);
  const table = useTable({
    features,
    columns: COLUMNS,
    data: list.articles,
    getRowId: ({ articleId }) => articleId,
    state: { columnVisibility },
  });
  const scroll = useRef<HTMLDivElement>(null);
  const columns = table.getVisibleLeafColumns();
  const widthInAll = columns.reduce((sum, column) => sum + column.getSize(), SELECTION_PIXELS);
  const widths = columns.map((column, index) =>
    index === 0 ? `minmax(${column.getSize()}px, 1fr)` : `${column.getSize()}px`,
  );
  const style: GridStyle = { '--columns': `${SELECTION_PIXELS}px ${widths.join(' ')}`, '--width': `${widthInAll}px` };
  return (
    <div className="grid" ref={scroll} style={style}>
      <table
        role="grid"
        aria-label="Articles"
        aria-rowcount={list.total === null ? -1 : list.total + 1}
        aria-colcount={columns.length + 1}
        aria-busy={list.isLoading}
      >
        <thead className="head">
          <tr className="row" aria-rowindex={1}>
            <th scope="col">
              <span className="unseen">Selected</span>
            </th>
            {columns.map(({ id, columnDef }) => (
              <Header key={id} id={id} name={String(columnDef.header)} order={view.order} onChange={onChange} />
            ))}
          </tr>
        </thead>
        <Rows
          rows={table.getRowModel().rows}
          columnIds={columns.map(({ id }) => id).join(' ')}
          {...{ list, selection, scroll }}
        />
      </table>
    </div>
  );
}

type Row = ReturnType<
  ReturnType<typeof useTable<typeof features, ArticleFieldsFragment>>['getRowModel']
>['rows'][number];

interface HeaderProps {
  id: string;
  name: string;
  order: View['order'];
  onChange: GridProps['onChange'];
}

/** A button where the backend sorts by the column. */
function Header({ id, name, order, onChange }: HeaderProps) {
  const own = ORDERS[id];
  const isSorted = own !== undefined && own === order;
  const direction = id === 'title' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : 'none'}>
      {own === undefined ? (
        <span title="The gateway sorts by title, or by the time of the last change.">{name}</span>
      ) : (
        <button type="button" className="plain" onClick={() => onChange({ order: isSorted ? 'ID' : own })}>
          {name} <span aria-hidden="true">{isSorted ? (id === 'title' ? '▲' : '▼') : '↕'}</span>
        </button>
      )}
    </th>
  );
}

interface RowsProps extends Pick<GridProps, 'list' | 'selection'> {
  rows: readonly Row[];
  columnIds: string;
  scroll: RefObject<HTMLDivElement | null>;
}

/** The rows that are in sight. */
function Rows({ rows, columnIds, list, selection, scroll }: RowsProps) {
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN_ROWS,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasMore, failure, loadMore } = list;
  useEffect(() => {
    if (hasMore && failure === null && last >= rows.length - ROWS_AHEAD) loadMore();
  });
  return (
    <tbody className="rows" style={{ height: virtualizer.getTotalSize() }}>
      {items.map(({ index, start }) => {
        const row = rows[index];
        return (
          row && (
            <GridRow
              key={row.id}
              {...{ row, index, start, columnIds }}
              isSelected={selection.articles.has(row.id)}
              onToggle={selection.toggle}
            />
          )
        );
      })}
    </tbody>
  );
}

interface GridRowProps {
  row: Row;
  index: number;
  /** Pixels from the first row. */
  start: number;
  columnIds: string;
  isSelected: boolean;
  onToggle: Selection['toggle'];
}

const GridRow = memo(function GridRow({ row, index, start, isSelected, onToggle }: GridRowProps) {
  return (
    <tr
      className="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${start}px)` }}
    >
      <td>
        <input
          type="checkbox"
          aria-label={row.original.title ?? row.id}
          checked={isSelected}
          onChange={() => onToggle(row.original)}
        />
      </td>
      {row.getVisibleCells().map((cell) => (
        <td key={cell.id} title={String(cell.getValue())}>
          {String(cell.getValue())}
        </td>
      ))}
    </tr>
  );
});
