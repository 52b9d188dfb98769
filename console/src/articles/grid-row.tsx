import { type CSSProperties, memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Column, Row } from './article-table.ts';
import type { CategoryChoice } from './categories.ts';
import { cellText } from './cell-values.ts';
import { SELECTION } from './columns.ts';
import { type ArticleChange, isMember } from './edits.ts';
import type { Selection } from './selection.ts';

interface GridRowProps {
  row: Row;
  /** The distance from the first row in pixels. */
  start: number;
  /** The columns from left to right. */
  columns: readonly Column[];
  isSelected: boolean;
  /** The column of the active cell; null where it is in another row. */
  active: string | null;
  /** The first and last selected column; null where the range is in other rows. */
  left: number | null;
  right: number | null;
  /** True where the range ends in this row, and has the handle that fills other rows there. */
  hasHandle: boolean;
  /** True while the range is being copied over this row. */
  isFilled: boolean;
  /** The editor, which is shown in the active cell while that is edited. */
  editor: ReactNode;
  wantsFocus: RefObject<boolean>;
  change: ArticleChange | undefined;
  state: string;
  tone: string;
  categories: readonly CategoryChoice[];
  toggle: Selection['toggle'];
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

type TextProps = Pick<GridRowProps, 'row' | 'change' | 'state' | 'categories'>;

/** What is shown in a cell. */
export function textOf(id: string, { row, change, state, categories }: TextProps): string {
  if (isMember(id)) return cellText(row.original, id, { change, categories });
  return id === 'state' ? state : String(row.getValue(id) ?? '');
}
