import { Check } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { COLUMNS } from './columns.tsx';

/** Selects the columns. The title is always shown. */
export function ColumnChoice() {
  const { view, changeView } = useShared();
  const others = (id: string) => view.without.filter((other) => other !== id);
  return (
    <details>
      <summary>Columns</summary>
      <fieldset className="inline">
        <legend className="unseen">Columns</legend>
        {COLUMNS.filter(({ id }) => id !== 'title').map(({ id = '', header }) => (
          <Check
            key={id}
            label={String(header)}
            checked={!view.without.includes(id)}
            onChange={(isShown) => changeView({ without: isShown ? others(id) : [...others(id), id] })}
          />
        ))}
      </fieldset>
    </details>
  );
}
