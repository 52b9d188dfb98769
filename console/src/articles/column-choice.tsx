import { useShared } from '../shared.ts';
import { COLUMNS } from './columns.tsx';

/** Every column but the title can be left out. */
export function ColumnChoice() {
  const { view, changeView } = useShared();
  const { without } = view;
  const choices = COLUMNS.map(({ id = '', header }) => ({ id, name: String(header) })).filter(
    ({ id }) => id !== 'title',
  );
  return (
    <details>
      <summary>Columns</summary>
      <fieldset className="inline">
        <legend className="unseen">Columns</legend>
        {choices.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={!without.includes(id)}
              onChange={({ target }) =>
                changeView({ without: target.checked ? without.filter((other) => other !== id) : [...without, id] })
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
