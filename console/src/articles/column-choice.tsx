import { Check, Menu, MenuItem, Popover } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { COLUMNS, columnName, frozenOf, orderOf, SELECTION, WIDTHS, widthsOf, widthTexts } from './columns.ts';

const SIZES = new Map(COLUMNS.map(({ id = '', size = 0 }) => [id, size]));

/** Chooses the columns, their order and widths. The title is always shown, and stays in place. */
export function ColumnChoice() {
  const { view } = useShared();
  const ids = orderOf(view).filter((id) => id !== SELECTION);
  return (
    <Popover label="Columns">
      <ul aria-label="Columns">
        {ids.map((id) => (
          <li key={id} className="inline apart">
            <Column id={id} />
          </li>
        ))}
      </ul>
    </Popover>
  );
}

function Column({ id }: { id: string }) {
  const { view, changeView } = useShared();
  const widths = widthsOf(view);
  const name = columnName(id);
  const isTitle = id === 'title';
  const others = view.without.filter((other) => other !== id);
  return (
    <>
      {isTitle ? (
        <span>{name}</span>
      ) : (
        <Check
          label={name}
          checked={!view.without.includes(id)}
          onChange={(isShown) => changeView({ without: isShown ? others : [...others, id] })}
        />
      )}
      <input
        type="number"
        aria-label={`Width of ${name}`}
        min={WIDTHS.minSize}
        max={WIDTHS.maxSize}
        step={10}
        value={widths[id] ?? SIZES.get(id)}
        onChange={({ target }) => changeView({ widths: widthTexts({ ...widths, [id]: target.valueAsNumber || 0 }) })}
      />
      {!isTitle && <ColumnMenu id={id} />}
    </>
  );
}

/** What can be done with a column: sort by it, and freeze, move or hide it. The title stays where it is. */
export function ColumnMenu({ id, tabIndex }: { id: string; tabIndex?: number }) {
  const { view, changeView } = useShared();
  const { frozen, without } = view;
  const ids = orderOf(view);
  const at = ids.indexOf(id);
  const isFrozen = frozen.includes(id);
  const move = (by: number) => changeView({ columns: ids.toSpliced(at, 1).toSpliced(at + by, 0, id) });
  const cannotMove = (by: number) =>
    ids[at + by] === undefined || frozenOf(view).includes(ids[at + by] ?? '') !== isFrozen || ids[at + by] === 'title';
  return (
    <Menu button="⋮" label={`Column ${columnName(id)}`} tabIndex={tabIndex}>
      <MenuItem
        onClick={() => changeView({ frozen: isFrozen ? frozen.filter((other) => other !== id) : [...frozen, id] })}
      >
        {isFrozen ? 'Scroll with the others' : 'Freeze beside the title'}
      </MenuItem>
      <MenuItem disabled={cannotMove(-1)} onClick={() => move(-1)}>
        Move to the left
      </MenuItem>
      <MenuItem disabled={cannotMove(1)} onClick={() => move(1)}>
        Move to the right
      </MenuItem>
      {!without.includes(id) && <MenuItem onClick={() => changeView({ without: [...without, id] })}>Hide</MenuItem>}
    </Menu>
  );
}
