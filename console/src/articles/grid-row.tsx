import { memo, type RefObject, useEffect, useRef } from 'react';
import type { ArticleFieldsFragment, OutcomeFieldsFragment } from '../generated/graphql.ts';
import type { CategoryChoice } from './categories.ts';
import { CellEditor, type Move } from './cell-editor.tsx';
import { cellText } from './cell-values.ts';
import { type ArticleChange, isMember, type Member } from './edits.ts';
import type { Row } from './grid.tsx';
import { outcomeText } from './outcome-text.ts';
import { SELECTION } from './use-active-cell.ts';

/** What a row calls; the same object for all rows. */
export interface RowHandlers {
  activate(index: number, columnId: string): void;
  startEditing(index: number, columnId: string): void;
  commit(article: ArticleFieldsFragment, member: Member, entry: { readonly text: string; readonly move: Move }): void;
  cancel(): void;
  toggle(article: ArticleFieldsFragment): void;
}

interface GridRowProps {
  row: Row;
  index: number;
  /** Pixels from the first row. */
  start: number;
  /** Changes when other columns are shown. */
  columnIds: string;
  isSelected: boolean;
  /** The column of the active cell; null where it is in another row. */
  active: string | null;
  /** What the active cell is edited from; null where it is not edited. */
  editing: { readonly text: string | null } | null;
  wantsFocus: RefObject<boolean>;
  change: ArticleChange | undefined;
  outcome: OutcomeFieldsFragment | undefined;
  isUnderWay: boolean;
  categories: readonly CategoryChoice[];
  handlers: RowHandlers;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, start, isSelected, active, editing, wantsFocus, handlers } = props;
  const element = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (active === null || editing !== null || !wantsFocus.current) return;
    wantsFocus.current = false;
    element.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [active, editing, wantsFocus]);
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
          onFocus={() => handlers.activate(index, SELECTION)}
          onChange={() => handlers.toggle(row.original)}
        />
      </td>
      {row.getVisibleCells().map(({ column: { id } }) => (
        <Cell key={id} id={id} {...props} />
      ))}
    </tr>
  );
});

function Cell({ id, ...props }: GridRowProps & { id: string }) {
  const { row, index, active, editing, change, categories, handlers } = props;
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
      onFocus={() => handlers.activate(index, id)}
      onDoubleClick={() => handlers.startEditing(index, id)}
    >
      {isActive && editing && member ? (
        <CellEditor
          member={member}
          text={editing.text ?? text}
          categories={categories}
          onCommit={(typed, move) => handlers.commit(row.original, member, { text: typed, move })}
          onCancel={handlers.cancel}
        />
      ) : (
        text
      )}
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
