import { Button, Check, Popover } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { COLUMNS, columnName, orderOf, SELECTION, WIDTHS, widthsOf, widthTexts } from './columns.tsx';

const SIZES = new Map(COLUMNS.map(({ id = '', size = 0 }) => [id, size]));

/** Chooses the columns, their order and widths, and which stay in place. The title is always shown, and stays. */
export function ColumnChoice() {
  const { view } = useShared();
  const ids = orderOf(view).filter((id) => id !== SELECTION);
  return (
    <Popover label="Columns">
      <ul aria-label="Columns">
        {ids.map((id) => (
          <li key={id} className="inline">
            <Column id={id} ids={ids} />
          </li>
        ))}
      </ul>
    </Popover>
  );
}

function Column({ id, ids }: { id: string; ids: readonly string[] }) {
  const { view, changeView } = useShared();
  const widths = widthsOf(view);
  const name = columnName(id);
  const isTitle = id === 'title';
  const toggle = (member: 'without' | 'frozen', isIn: boolean) => {
    const others = view[member].filter((other) => other !== id);
    changeView({ [member]: isIn ? [...others, id] : others });
  };
  return (
    <>
      {isTitle ? (
        <span>{name}</span>
      ) : (
        <Check label={name} checked={!view.without.includes(id)} onChange={(isShown) => toggle('without', !isShown)} />
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
      {!isTitle && (
        <Check
          label={
            <>
              Freeze<span className="unseen"> {name}</span>
            </>
          }
          checked={view.frozen.includes(id)}
          onChange={(isFrozen) => toggle('frozen', isFrozen)}
        />
      )}
      {!isTitle && <MoveButtons id={id} ids={ids} />}
    </>
  );
}

function MoveButtons({ id, ids }: { id: string; ids: readonly string[] }) {
  const { changeView } = useShared();
  const at = ids.indexOf(id);
  const move = (by: number) => changeView({ columns: ids.toSpliced(at, 1).toSpliced(at + by, 0, id) });
  return (
    <>
      <Button aria-label={`Move ${columnName(id)} to the left`} disabled={at === 1} onClick={() => move(-1)}>
        ↑
      </Button>
      <Button
        aria-label={`Move ${columnName(id)} to the right`}
        disabled={at === ids.length - 1}
        onClick={() => move(1)}
      >
        ↓
      </Button>
    </>
  );
}
