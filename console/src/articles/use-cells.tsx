import { type DragEvent, type KeyboardEvent, type MouseEvent, type SyntheticEvent, useRef, useState } from 'react';
import { usePageEvent } from '../page-event.ts';
import { useShared } from '../shared.ts';
import type { GridProps, Table } from './article-table.ts';
import { CellEditor, type Move } from './cell-editor.tsx';
import { cellText, readCell } from './cell-values.ts';
import { SELECTION } from './columns.ts';
import { isMember, keyOf } from './edits.ts';
import type { Selection } from './selection.ts';
import { type Range, useClipboard } from './use-clipboard.ts';

/** A cell by the index of its row and the ID of its column. */
interface ActiveCell {
  readonly index: number;
  readonly columnId: string;
}

const PAGE_ROWS = 20;

/** The keys of a grid, as in the ARIA practices and in spreadsheets, with the rows and columns over which they move. */
const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [PAGE_ROWS, 0],
  PageUp: [-PAGE_ROWS, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
  'Control+Home': [-Infinity, -Infinity],
  'Control+End': [Infinity, Infinity],
  'Control+ArrowDown': [Infinity, 0],
  'Control+ArrowUp': [-Infinity, 0],
  'Control+ArrowRight': [0, Infinity],
  'Control+ArrowLeft': [0, -Infinity],
};

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const within = (index: number, length: number): number => Math.min(Math.max(index, 0), length - 1);

/** The Enter key, for double clicks and for moves after an edit. */
const ENTER: Press = { key: 'Enter', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

interface CellOptions {
  readonly table: Table;
  readonly columnIds: readonly string[];
  readonly scrollTo: (index: number) => void;
}

/** The active cell, which has the focus when the grid has it, and the range that begins there, with what keys and mouse do with them. */
export function useCells(props: GridProps, { table, columnIds, scrollTo }: CellOptions) {
  const { changeView } = useShared();
  const { rows } = table.getRowModel();
  const wantsFocus = useRef(false);
  const { active, range, corner, select, extendTo } = useRange(table, columnIds);
  const go = (press: Press): boolean => {
    const from = press.shiftKey ? corner : active;
    const step = STEPS[press.ctrlKey || press.metaKey ? `Control+${press.key}` : press.key];
    if (step === undefined || rows.length === 0) return false;
    const index = within(from.index + step[0], rows.length);
    const column = within(columnIds.indexOf(from.columnId) + step[1], columnIds.length);
    wantsFocus.current = !press.shiftKey;
    scrollTo(index);
    select({ index, columnId: columnIds[column] ?? '' }, press.shiftKey);
    return true;
  };
  const onEnd = (move?: Move) => {
    wantsFocus.current = move !== '';
    if (move) go({ ...ENTER, key: move });
    else select(active);
  };
  const { editor, startBy } = useEditor(props, { active, onEnd });
  const { onKey, fill, ...clipboard } = useClipboard(props, { table, columnIds, range, isEditing: editor !== null });
  const { fillTo, mouse } = useMouse(table, range, { fill, extendTo, scrollTo, dragArticle: props.selection.drag });
  const openPage = () => {
    const article = rows[active.index]?.id;
    if (article) changeView({ tab: 'article', article });
  };
  const handlers = {
    ...clipboard,
    ...mouse,
    onKeyDown: (event: KeyboardEvent) => {
      if (!cellAt(event)) return;
      const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
      if (isAll) table.selectAllCells();
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') return openPage();
      if (isAll || onKey(event) || startBy(event) || go(event)) event.preventDefault();
    },
    onFocus: (event: SyntheticEvent) => {
      const cell = cellAt(event);
      if (cell && (cell.index !== active.index || cell.columnId !== active.columnId)) select(cell);
    },
    onDoubleClick: (event: SyntheticEvent) => cellAt(event) && startBy(ENTER),
  };
  return { active, range, fillTo, editor, wantsFocus, handlers };
}

/** The range of selected cells by their indexes. Where none is selected, or its rows are gone, it is the first title. */
function useRange(table: Table, columnIds: readonly string[]) {
  const { rows, rowsById } = table.getRowModel();
  const [bounds] = table.getCellSelectionBounds();
  const last = bounds && table.state.cellSelection.at(-1);
  const cellOf = (rowId = '', columnId = 'title'): ActiveCell => ({ index: rowsById[rowId]?.index ?? 0, columnId });
  const active = cellOf(last?.anchorRowId, last?.anchorColumnId);
  const corner = cellOf(last?.focusRowId, last?.focusColumnId);
  const column = columnIds.indexOf(active.columnId);
  const range: Range = {
    top: bounds?.minRowIndex ?? active.index,
    bottom: bounds?.maxRowIndex ?? active.index,
    left: bounds?.minColumnIndex ?? column,
    right: bounds?.maxColumnIndex ?? column,
  };
  const select = (cell: ActiveCell, extends_ = false) => {
    const rowId = rows[cell.index]?.id;
    const anchorRowId = rows[active.index]?.id;
    if (rowId === undefined || anchorRowId === undefined) return;
    if (!extends_) return table.setFocusedCell(rowId, cell.columnId);
    const focus = { focusRowId: rowId, focusColumnId: cell.columnId };
    table.selectCellRange({ anchorRowId, anchorColumnId: active.columnId, ...focus });
  };
  const extendTo = (index: number) => select({ index, columnId: corner.columnId }, true);
  return { active, corner, range, select, extendTo };
}

interface MouseActions extends Pick<CellOptions, 'scrollTo'> {
  readonly fill: (to: number) => void;
  /** Called after that, with the last row. */
  readonly extendTo: (index: number) => void;
  readonly dragArticle: Selection['drag'];
}

/**
 * Selects a range by a drag, or by Shift and a click, and copies it by its handle to the rows over which that is dragged. Articles
 * are dragged by their first cells.
 */
function useMouse(table: Table, range: Range, { fill, extendTo, scrollTo, dragArticle }: MouseActions) {
  const [fillTo, setFillTo] = useState<number | null>(null);
  const filling = useRef<number | null>(null);
  const drag = (index: number | null) => {
    filling.current = index;
    setFillTo(index);
  };
  // More rows may have been read since the drag began.
  usePageEvent('mouseup', () => {
    const to = filling.current;
    if (to === null) return;
    fill(to);
    if (to < range.top || to > range.bottom) extendTo(to);
    drag(null);
  });
  /** The library's own cell, which knows what the mouse does; none in an editor. */
  const libraryCell = (event: SyntheticEvent) => {
    const cell = isIn(event, '.editor, [draggable]') ? null : cellAt(event);
    return cell && table.getRowModel().rows[cell.index]?.getAllCellsByColumnId()[cell.columnId];
  };
  const mouse = {
    onMouseDown: (event: MouseEvent) => {
      const isFill = isIn(event, '.fill');
      const cell = isFill ? null : libraryCell(event);
      if (event.button !== 0) return;
      // The focus stays in the cell where the range begins.
      if (isFill || (cell && event.shiftKey)) event.preventDefault();
      if (isFill) drag(range.bottom);
      cell?.getSelectionStartHandler(document)(event);
    },
    onMouseOver: (event: MouseEvent) => {
      const over = cellAt(event);
      if (filling.current === null) libraryCell(event)?.getSelectionExtendHandler()(event);
      else drag(over?.index ?? filling.current);
      // Towards rows below or above, which come under the mouse then.
      if (over && event.buttons === 1) scrollTo(over.index);
    },
    onDragStart: (event: DragEvent) => {
      const row = isIn(event, '[draggable]') && table.getRowModel().rows[cellAt(event)?.index ?? -1];
      if (row) dragArticle(event.dataTransfer, row.id);
    },
  };
  return { fillTo, mouse };
}

const isIn = ({ target }: SyntheticEvent, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

interface EditorOptions {
  readonly active: ActiveCell;
  /** Called at the end of an edit, without a move where it was cancelled. */
  readonly onEnd: (move?: Move) => void;
}

/** The editor of the active cell where that can be edited, once a key has opened it. */
function useEditor({ list, onProblems }: GridProps, { active, onEnd }: EditorOptions) {
  const { work, actions, categories, mayWrite } = useShared();
  // The edit in progress: the typed text, or null for the text of the cell.
  const [editing, setEditing] = useState<{ readonly text: string | null } | null>(null);
  const article = list.articles[active.index];
  const member = mayWrite && isMember(active.columnId) ? active.columnId : null;
  if (!article || !member) return { editor: null, startBy: () => false };
  const own = cellText(article, member, { change: work.edits.get(keyOf(article))?.change, categories });
  const end = (move?: Move) => {
    setEditing(null);
    onEnd(move);
  };
  const commit = (typed: string, move: Move) => {
    const read = typed === own ? null : readCell(member, typed, categories);
    if (read) onProblems('problem' in read ? [read.problem] : []);
    if (read && 'change' in read) actions.edit([[article, read.change]]);
    end(move);
  };
  return {
    editor: editing && <CellEditor member={member} text={editing.text ?? own} onCommit={commit} onCancel={end} />,
    startBy: (press: Press): boolean => {
      const started = editingBy(press, member);
      if (started) setEditing(started);
      return started !== null;
    },
  };
}

/** The cell of an event; null in the header. */
function cellAt({ target }: SyntheticEvent): ActiveCell | null {
  const cell = target instanceof Element ? target.closest('td') : null;
  const row = Number(cell?.parentElement?.getAttribute('aria-rowindex') ?? 0);
  // The header is the first row.
  return cell ? { index: row - 2, columnId: cell.dataset['column'] ?? SELECTION } : null;
}

/** The keys that search and show the keys, wherever one is. */
const KEYS_OF_PAGE = ['/', '?'];

/** The text with which a key opens an editor: Enter and F2 keep it, a character replaces it. Null for other keys. */
function editingBy({ key, ctrlKey, metaKey, altKey }: Press, member: string) {
  if (key === 'Enter' || key === 'F2') return { text: null };
  const isTyped = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey && !KEYS_OF_PAGE.includes(key);
  if (!isTyped) return null;
  return { text: member === 'title' || member === 'order' ? key : null };
}
