import { type CSSProperties, memo, useEffect, useRef } from 'react';
import type { Shared } from '../shared.ts';
import type { Column, GridProps, Row } from './article-table.ts';
import { SELECTION } from './columns.ts';
import { isMember, keyOf } from './edits.ts';
import { rowStateOf } from './outcome-text.ts';
import type { useCells } from './use-cells.tsx';
import { textOf } from './use-clipboard.ts';

/** What a row shows, as values that are the same while it shows the same. */
export function rowPropsOf(
  row: Row,
  { selection, work, categories, mayWrite }: GridProps & Shared,
  { active, range, fillTo, editor, wantsFocus }: ReturnType<typeof useCells>,
) {
  const { index } = row;
  const key = keyOf(row.original);
  const { text: state, tone } = rowStateOf(work, key);
  const { top, bottom } = range;
  const isActive = active.index === index;
  /** True while the range is being copied over this row. */
  const isFilled = fillTo !== null && ((index > bottom && index <= fillTo) || (index < top && index >= fillTo));
  const isInRange = isFilled || (index >= top && index <= bottom);
  return {
    /** The column of the active cell; null where it is in another row. */
    active: isActive ? active.columnId : null,
    editor: isActive ? editor : null,
    /** The first and last selected column; null where the range is in other rows. */
    left: isInRange ? range.left : null,
    right: isInRange ? range.right : null,
    /** True where the range ends in this row, and has the handle that fills other rows there. */
    hasHandle: mayWrite && index === bottom,
    isFilled,
    isSelected: selection.articles.has(row.id),
    change: work.edits.get(key)?.change,
    state,
    tone,
    categories,
    toggle: selection.toggle,
    wantsFocus,
  };
}

interface GridRowProps extends ReturnType<typeof rowPropsOf> {
  row: Row;
  /** The distance from the first row in pixels. */
  start: number;
  /** The columns from left to right. */
  columns: readonly Column[];
}

/** The class and the distance from the edge of what stays in sight. */
export const frozenProps = (column: Column) => {
  const style: CSSProperties & { '--frozen-at': string } = { '--frozen-at': `var(--${column.id}-at)` };
  return column.getIsPinned() ? { className: 'frozen', style } : { className: '' };
};

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, start, columns, isSelected, active, editor, wantsFocus } = props;
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
      aria-rowindex={row.index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${start}px)` }}
    >
      {columns.map((column, at) => (
        <Cell key={column.id} column={column} at={at} {...props} />
      ))}
    </tr>
  );
});

type CellProps = GridRowProps & { column: Column; at: number };

/** True where the selected range holds the cell, or is being copied over it. */
const isInRange = ({ left, right, at }: CellProps): boolean =>
  left !== null && right !== null && at >= left && at <= right;

function classesOf(props: CellProps): string {
  const { column, change, tone } = props;
  const { id } = column;
  const classes = [
    frozenProps(column).className,
    isMember(id) ? change?.[id] !== undefined && 'changed' : id === 'state' ? tone : 'hint',
    isInRange(props) && (props.isFilled ? 'filled' : 'range'),
  ];
  return classes.filter(Boolean).join(' ');
}

function Cell(props: CellProps) {
  const { column, at, row, active, editor, hasHandle, right, toggle } = props;
  const { id } = column;
  const isActive = active === id;
  const cell = {
    role: 'gridcell',
    'data-column': id,
    'aria-selected': isInRange(props),
    ...frozenProps(column),
    className: classesOf(props),
  } as const;
  if (id === SELECTION)
    return (
      <td {...cell} draggable>
        <input
          type="checkbox"
          aria-label={row.original.title || row.id}
          tabIndex={isActive ? 0 : -1}
          checked={props.isSelected}
          onChange={({ nativeEvent }) =>
            toggle(row.original, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
          }
        />
      </td>
    );
  const text = textOf(id, props);
  return (
    <td {...cell} tabIndex={isActive ? 0 : -1} title={text}>
      {(isActive && editor) || text}
      {hasHandle && at === right && !editor && <span className="fill" aria-hidden="true" />}
    </td>
  );
}
