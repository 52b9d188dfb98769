import { memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { OutcomeFieldsFragment } from '../generated/graphql.ts';
import { SELECTION } from './active-cell.ts';
import type { Row } from './article-table.ts';
import type { CategoryChoice } from './categories.ts';
import { cellText } from './cell-values.ts';
import { type ArticleChange, isMember } from './edits.ts';
import { outcomeText } from './outcome-text.ts';
import type { Selection } from './selection.ts';

interface GridRowProps {
  row: Row;
  index: number;
  /** The distance from the first row in pixels. */
  start: number;
  /** This changes when other columns are shown. */
  columnIds: string;
  isSelected: boolean;
  /** The column of the active cell; null where it is in another row. */
  active: string | null;
  /** The editor, which is shown in the active cell while that is edited. */
  editor: ReactNode;
  wantsFocus: RefObject<boolean>;
  change: ArticleChange | undefined;
  outcome: OutcomeFieldsFragment | undefined;
  isUnderWay: boolean;
  categories: readonly CategoryChoice[];
  toggle: Selection['toggle'];
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, start, isSelected, active, editor, wantsFocus, toggle } = props;
  const element = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (active === null || editor || !wantsFocus.current) return;
    wantsFocus.current = false;
    element.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [active, editor, wantsFocus]);
  return (
    <tr
      ref={element}
      className="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${start}px)` }}
    >
      <td>
        <input
          type="checkbox"
          aria-label={row.original.title ?? row.id}
          tabIndex={active === SELECTION ? 0 : -1}
          checked={isSelected}
          onChange={() => toggle(row.original)}
        />
      </td>
      {row.getVisibleCells().map(({ column: { id } }) => (
        <Cell key={id} id={id} {...props} />
      ))}
    </tr>
  );
});

function Cell({ id, ...props }: GridRowProps & { id: string }) {
  const { row, active, editor, change, categories } = props;
  const isActive = active === id;
  const member = isMember(id) ? id : null;
  const text = textOf(id, props);
  const isChanged = member !== null && change?.[member] !== undefined;
  return (
    <td
      data-column={id}
      tabIndex={isActive ? 0 : -1}
      className={isChanged ? 'changed' : toneOf(id, props)}
      title={isChanged ? `Stored: ${cellText(row.original, member, { change: undefined, categories })}` : text}
    >
      {(isActive && editor) || text}
    </td>
  );
}

function textOf(id: string, { row, change, outcome, isUnderWay, categories }: GridRowProps): string {
  if (isMember(id)) return cellText(row.original, id, { change, categories });
  if (id !== 'state') return String(row.getValue(id));
  if (isUnderWay) return 'Under way';
  const ended = outcome ? outcomeText(outcome).text : '';
  return change && outcome?.__typename !== 'ArticleUpdated' ? ended || 'Changed, not sent' : ended;
}

const toneOf = (id: string, { outcome, isUnderWay }: GridRowProps): string | undefined =>
  id === 'state' && outcome && !isUnderWay ? outcomeText(outcome).tone : undefined;
