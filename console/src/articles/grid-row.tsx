import { type CSSProperties, memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Row } from './article-table.ts';
import type { CategoryChoice } from './categories.ts';
import { cellText } from './cell-values.ts';
import { SELECTION } from './columns.ts';
import { type ArticleChange, isMember } from './edits.ts';
import type { Selection } from './selection.ts';

interface GridRowProps {
  row: Row;
  index: number;
  /** The distance from the first row in pixels. */
  start: number;
  /** The columns from left to right, with the distance of frozen ones from the edge. */
  columns: readonly GridColumn[];
  isSelected: boolean;
  /** The column of the active cell; null where it is in another row. */
  active: string | null;
  /** The first and last selected column, and whether the range ends in this row; null where it is in other rows. */
  left: number | null;
  right: number | null;
  isBottom: boolean;
  /** True where the end of the range has the handle that fills other rows. */
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
  /** Called where an article is dragged by its first cell. */
  onDrag: (dataTransfer: DataTransfer, articleId: string) => void;
}

export interface GridColumn {
  readonly id: string;
  /** The width in pixels. */
  readonly width: number;
  /** The distance of a frozen column from the left edge in pixels; null for others. */
  readonly frozenAt: number | null;
}

export const frozenStyle = ({ frozenAt }: GridColumn): CSSProperties & { '--frozen-at'?: string } =>
  frozenAt === null ? {} : { '--frozen-at': `${frozenAt}px` };

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, start, columns, isSelected, active, editor, wantsFocus } = props;
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
      {columns.map((column, at) => (
        <Cell key={column.id} column={column} at={at} {...props} row={row} />
      ))}
    </tr>
  );
});

type CellProps = GridRowProps & { column: GridColumn; at: number };

/** True where the selected range holds the cell, or is being copied over it. */
const isInRange = ({ left, right, at }: CellProps): boolean =>
  left !== null && right !== null && at >= left && at <= right;

function classesOf(props: CellProps): string {
  const { column, change, tone } = props;
  const { id, frozenAt } = column;
  const classes = [
    frozenAt !== null && 'frozen',
    isMember(id) ? change?.[id] !== undefined && 'changed' : id === 'state' ? tone : 'hint',
    isInRange(props) && (props.isFilled ? 'filled' : 'range'),
  ];
  return classes.filter(Boolean).join(' ');
}

function Cell(props: CellProps) {
  const { column, at, row, active, editor, isBottom, hasHandle, right, toggle, onDrag } = props;
  const { id } = column;
  const isActive = active === id;
  const cell = {
    role: 'gridcell',
    'data-column': id,
    className: classesOf(props),
    style: frozenStyle(column),
  } as const;
  if (id === SELECTION)
    return (
      <td {...cell} draggable onDragStart={({ dataTransfer }) => onDrag(dataTransfer, row.id)}>
        <input
          type="checkbox"
          aria-label={row.original.title ?? row.id}
          tabIndex={isActive ? 0 : -1}
          checked={props.isSelected}
          onChange={() => toggle(row.original)}
        />
      </td>
    );
  const text = textOf(id, props);
  return (
    <td {...cell} {...selectedIn(props)} tabIndex={isActive ? 0 : -1} title={text}>
      {(isActive && editor) || text}
      {hasHandle && isBottom && at === right && !editor && <span className="fill" aria-hidden="true" />}
    </td>
  );
}

const selectedIn = (props: CellProps) => ({ 'aria-selected': isInRange(props) });

type TextProps = Pick<GridRowProps, 'row' | 'change' | 'state' | 'categories'>;

/** What is shown in a cell. */
export function textOf(id: string, { row, change, state, categories }: TextProps): string {
  if (isMember(id)) return cellText(row.original, id, { change, categories });
  return id === 'state' ? state : String(row.getValue(id) ?? '');
}
