import type { View } from '../view.ts';
import { ORDERS } from './columns.tsx';

interface GridHeaderProps {
  columns: readonly { readonly id: string; readonly name: string }[];
  order: View['order'];
  /** Why the list can't be sorted now; null where it can. */
  refusal: string | null;
  onChange: (change: Partial<View>) => void;
}

/** The names of the columns, as buttons where the backend sorts by them. */
export function GridHeader({ columns, order, refusal, onChange }: GridHeaderProps) {
  return (
    <thead className="head">
      <tr className="row" aria-rowindex={1}>
        <th scope="col">
          <span className="unseen">Selected</span>
        </th>
        {columns.map(({ id, name }) => {
          const own = ORDERS[id];
          const sorted = own?.order === order ? own.direction : 'none';
          return (
            <th key={id} scope="col" aria-sort={sorted}>
              {own && refusal === null ? (
                <button
                  type="button"
                  className="plain"
                  onClick={() => onChange({ order: sorted === 'none' ? own.order : 'ID' })}
                >
                  {name} <span aria-hidden="true">{ARROWS[sorted]}</span>
                </button>
              ) : (
                <span title={refusal ?? 'The gateway sorts by title, or by the time of the last change.'}>{name}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const ARROWS = { none: '↕', ascending: '▲', descending: '▼' } as const;
