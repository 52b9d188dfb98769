import { Button } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { ORDERS } from './columns.tsx';

interface GridHeaderProps {
  columns: readonly { readonly id: string; readonly name: string }[];
  /** The reason why the list can't be sorted now; null where it can. */
  refusal: string | null;
}

/** The names of the columns, as buttons where the backend sorts by them. */
export function GridHeader({ columns, refusal }: GridHeaderProps) {
  const { view, changeView } = useShared();
  return (
    <thead className="head">
      <tr className="row" aria-rowindex={1}>
        <th scope="col">
          <span className="unseen">Selected</span>
        </th>
        {columns.map(({ id, name }) => {
          const own = ORDERS[id];
          const sorted = own?.order === view.order ? own.direction : 'none';
          return (
            <th key={id} scope="col" aria-sort={sorted}>
              {own && refusal === null ? (
                <Button className="plain" onClick={() => changeView({ order: sorted === 'none' ? own.order : 'ID' })}>
                  {name} <span aria-hidden="true">{ARROWS[sorted]}</span>
                </Button>
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
