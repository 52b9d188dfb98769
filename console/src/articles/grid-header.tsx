import { Button } from '../parts.tsx';
import { useShared } from '../shared.ts';
import type { Table } from './article-table.ts';
import { ColumnMenu } from './column-choice.tsx';
import { columnName, ORDERS, SELECTION } from './columns.ts';
import type { Refusals } from './filter-bar.tsx';
import { frozenProps } from './grid-row.tsx';

interface GridHeaderProps {
  table: Table;
  refusals: Refusals;
}

/** The names of the columns, as buttons where the list is sorted by them. Their edges are dragged to other widths. */
export const GridHeader = (props: GridHeaderProps) => (
  <thead className="head">
    <tr className="row" aria-rowindex={1}>
      {props.table.getFlatHeaders().map((header) => (
        <HeaderCell key={header.id} header={header} {...props} />
      ))}
    </tr>
  </thead>
);

type Header = ReturnType<Table['getFlatHeaders']>[number];

type HeaderCellProps = GridHeaderProps & { header: Header };

function HeaderCell({ header, table, refusals }: HeaderCellProps) {
  const { view, changeView } = useShared();
  const { id, column } = header;
  const own = ORDERS[id];
  const sorted = own?.order === view.order ? own.direction : 'none';
  return (
    <th scope="col" data-column={id} aria-sort={own && sorted} {...frozenProps(column)}>
      {own && !refusals.disablesOthers ? (
        <Button className="sign" onClick={() => changeView({ order: own.order })}>
          {columnName(id)} <span aria-hidden="true">{sorted !== 'none' && (sorted === 'ascending' ? '▲' : '▼')}</span>
        </Button>
      ) : (
        <span className={id === SELECTION ? 'unseen' : 'sign'} title={own && (refusals.rule ?? undefined)}>
          {columnName(id)}
        </span>
      )}
      {id !== SELECTION && id !== 'title' && <ColumnMenu id={id} tabIndex={-1} />}
      {column.getCanResize() && <ResizeHandle header={header} table={table} />}
    </th>
  );
}

/** Drags the edge of a column, and shows where it would be. The keyboard has the widths, and the menus, under `Columns`. */
function ResizeHandle({ header, table }: Omit<HeaderCellProps, 'refusals'>) {
  const resize = header.getResizeHandler(document);
  const left = header.column.getIsResizing() ? table.state.columnResizing.deltaOffset : 0;
  const style = { transform: `translateX(${left ?? 0}px)` };
  return <span className="resize" aria-hidden="true" onMouseDown={resize} onTouchStart={resize} style={style} />;
}
