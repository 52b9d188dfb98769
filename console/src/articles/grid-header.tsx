import type { View } from '../view.ts';
import { ORDERS } from './columns.tsx';

interface GridHeaderProps {
  columns: readonly { readonly id: string; readonly name: string }[];
  order: View['order'];
  /** Why the list can't be sorted now; null where it can. */
  refusal: string | null;
  onChange: (change: Partial<View>) => void;
}

export function GridHeader({ columns, order, refusal, onChange }: GridHeaderProps) {
  return (
    <thead className="head">
      <tr className="row" aria-rowindex={1}>
        <th scope="col">
          <span className="unseen">Selected</span>
        </th>
        {columns.map(({ id, name }) => (
          <ColumnHeader key={id} {...{ id, name, order, refusal, onChange }} />
        ))}
      </tr>
    </thead>
  );
}

interface ColumnHeaderProps extends Pick<GridHeaderProps, 'order' | 'refusal' | 'onChange'> {
  id: string;
  name: string;
}

/** A button where the backend sorts by the column. */
function ColumnHeader({ id, name, order, refusal, onChange }: ColumnHeaderProps) {
  const own = ORDERS[id];
  const isSorted = own !== undefined && own === order;
  const direction = id === 'title' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : 'none'}>
      {own === undefined || refusal !== null ? (
        <span title={refusal ?? 'The gateway sorts by title, or by the time of the last change.'}>{name}</span>
      ) : (
        <button type="button" className="plain" onClick={() => onChange({ order: isSorted ? 'ID' : own })}>
          {name} <span aria-hidden="true">{isSorted ? (id === 'title' ? '▲' : '▼') : '↕'}</span>
        </button>
      )}
    </th>
  );
}
