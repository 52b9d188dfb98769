import { Button } from '../parts.tsx';
import { useShared } from '../shared.ts';
import type { Table } from './article-table.ts';
import { ColumnMenu } from './column-choice.tsx';
import { columnName, ORDERS, SELECTION } from './columns.ts';
import { frozenStyle, type GridColumn } from './grid-row.tsx';

interface GridHeaderProps {
  table: Table;
  columns: readonly GridColumn[];
  /** The reason why the list can't be sorted now; null where it can. */
  refusal: string | null;
}

/** The names of the columns, as buttons where the list is sorted by them. Their edges are dragged to other widths. */
export const GridHeader = ({ columns, ...props }: GridHeaderProps) => (
  <thead className="head">
    <tr className="row" aria-rowindex={1}>
      {columns.map((column) => (
        <HeaderCell key={column.id} column={column} {...props} />
      ))}
    </tr>
  </thead>
);

function HeaderCell({ column, table, refusal }: Omit<GridHeaderProps, 'columns'> & { column: GridColumn }) {
  const { view, changeView } = useShared();
  const { id, frozenAt } = column;
  const own = ORDERS[id];
  const sorted = own?.order === view.order ? own.direction : 'none';
  return (
    <th
      scope="col"
      data-column={id}
      aria-sort={own && sorted}
      className={frozenAt === null ? undefined : 'frozen'}
      style={frozenStyle(column)}
    >
      {own && refusal === null ? (
        <Button className="sign" onClick={() => changeView({ order: own.order })}>
          {columnName(id)} <span aria-hidden="true">{ARROWS[sorted]}</span>
        </Button>
      ) : (
        <span className={id === SELECTION ? 'unseen' : 'sign'} title={own && (refusal ?? undefined)}>
          {columnName(id)}
        </span>
      )}
      {id !== SELECTION && id !== 'title' && <ColumnMenu id={id} tabIndex={-1} />}
      {id !== SELECTION && <ResizeHandle id={id} table={table} />}
    </th>
  );
}

const ARROWS = { none: '', ascending: '▲', descending: '▼' } as const;

/** Drags the edge of a column, and shows where it would be. The keyboard has the widths, and the menus, under `Columns`. */
function ResizeHandle({ id, table }: { id: string; table: Table }) {
  const resize = table
    .getFlatHeaders()
    .find(({ column }) => column.id === id)
    ?.getResizeHandler(document);
  const { isResizingColumn, deltaOffset } = table.state.columnResizing;
  const style = isResizingColumn === id ? { transform: `translateX(${deltaOffset ?? 0}px)` } : {};
  return <span className="resize" aria-hidden="true" onMouseDown={resize} onTouchStart={resize} style={style} />;
}
