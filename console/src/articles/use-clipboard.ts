import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { useShared } from '../shared.ts';
import type { GridProps, Row, Table } from './article-table.ts';
import { type CellContext, cellText } from './cell-values.ts';
import { SELECTION } from './columns.ts';
import { isMember, keyOf } from './edits.ts';
import { rowStateOf } from './outcome-text.ts';
import { type Cells, cellsText, changesOf, parseCells, repeated } from './paste.ts';

/** The first and last row and column of a range, by their indexes. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

interface TextProps extends CellContext {
  readonly row: Row;
  readonly state: string;
}

/** What is shown in a cell. */
export function textOf(id: string, { row, change, state, categories }: TextProps): string {
  if (isMember(id)) return cellText(row.original, id, { change, categories });
  return id === 'state' ? state : String(row.getValue(id) ?? '');
}

interface ClipboardOptions {
  readonly table: Table;
  readonly columnIds: readonly string[];
  readonly range: Range;
  readonly isEditing: boolean;
}

/** Copies, pastes, fills and empties ranges of cells. */
export function useClipboard(props: GridProps, options: ClipboardOptions) {
  const { mayWrite } = useShared();
  const { isEditing } = options;
  const range = useRangeCells(props, options);
  const paste = usePaste(props, options);
  /** The last copied text, which is pasted into the same columns, where other texts go into those that can be edited. */
  const copied = useRef<string | null>(null);
  const isIdle = isEditing || range.columns.length === 0;
  const onCopy = (event: ClipboardEvent) => {
    if (isIdle) return;
    copied.current = cellsText(range.texts());
    event.clipboardData.setData('text/plain', copied.current);
    event.preventDefault();
  };
  return {
    fill: (to: number) => mayWrite && range.fill(to),
    onCopy,
    onCut: (event: ClipboardEvent) => {
      onCopy(event);
      if (!isIdle && mayWrite) range.empty();
    },
    onPaste: (event: ClipboardEvent) => {
      if (isIdle || !mayWrite) return;
      event.preventDefault();
      const text = event.clipboardData.getData('text/plain');
      void paste(text, { isOwn: copied.current === text.replaceAll('\r\n', '\n') });
    },
    /** Returns whether the key fills or empties the range. */
    onKey: ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => {
      if (!mayWrite || isIdle) return false;
      const isFill = (ctrlKey || metaKey) && key.toLowerCase() === 'd';
      const isEmptied = key === 'Delete' || key === 'Backspace';
      if (isFill) range.fillDown();
      if (isEmptied) range.empty();
      return isFill || isEmptied;
    },
  };
}

/** The cells of the range as texts, and what writes texts into rows of its columns. */
function useRangeCells(props: GridProps, { table, columnIds, range }: ClipboardOptions) {
  const { work, categories } = useShared();
  const write = useWrite(props);
  const { rows } = table.getRowModel();
  const columns = columnIds.slice(range.left, range.right + 1).filter((id) => id !== SELECTION);
  const textsOf = (row: Row): readonly string[] => {
    const key = keyOf(row.original);
    const change = work.edits.get(key)?.change;
    return columns.map((id) => textOf(id, { row, change, state: rowStateOf(work, key).text, categories }));
  };
  const texts = () => rows.slice(range.top, range.bottom + 1).map(textsOf);
  const writeFrom = (top: number, cells: Cells) =>
    write(cells, columns, props.list.articles.slice(top, top + cells.length));
  return {
    columns,
    texts,
    empty: () =>
      writeFrom(range.top, repeated([['']], { rows: range.bottom - range.top + 1, columns: columns.length })),
    /** Copies the rows of the range over the rows up to another one, above or below. */
    fill: (to: number) => {
      const isUp = to < range.top;
      const count = isUp ? range.top - to : to - range.bottom;
      if (count <= 0) return;
      const source = texts();
      // Above a range its last row comes directly before the first one.
      const first = isUp ? source.length - (count % source.length) : 0;
      const copies = Array.from({ length: count }, (_, index) => source[(first + index) % source.length] ?? []);
      writeFrom(isUp ? to : range.bottom + 1, copies);
    },
    /** Copies the first row of the range to its others, or the row above to a range of one row. */
    fillDown: () => {
      const first = range.top === range.bottom ? range.top - 1 : range.top;
      const source = rows[first];
      if (source) writeFrom(first + 1, Array<readonly string[]>(range.bottom - first).fill(textsOf(source)));
    },
  };
}

/** Writes cells into columns of articles, as one step. */
function useWrite({ onProblems }: GridProps) {
  const { actions, categories } = useShared();
  return (cells: Cells, columnIds: readonly string[], articles: GridProps['list']['articles']) => {
    const { changes, problems } = changesOf(cells, { articles, columnIds, categories });
    actions.edit(changes);
    onProblems(problems);
  };
}

/** Pastes a text from the first cell of the range on, past the last loaded row if need be. */
function usePaste(props: GridProps, { columnIds, range }: ClipboardOptions) {
  const { list, onProblems } = props;
  const write = useWrite(props);
  const rowsUntil = async (end: number) => {
    const missing = list.hasMore ? end - list.articles.length : 0;
    if (missing <= 0) return list.articles;
    onProblems([`Reading ${missing} more rows for this paste…`]);
    const loaded = await list.loadUntil(end);
    if (loaded === null) return { problem: 'Nothing was pasted, since another list is shown now.' };
    return loaded.failure ? { problem: `Nothing was pasted: ${loaded.failure.message}` } : loaded.articles;
  };
  return async (text: string, { isOwn }: { readonly isOwn: boolean }): Promise<void> => {
    const cells = parseCells(text);
    if ('problem' in cells) return onProblems([cells.problem]);
    const right = columnIds.slice(range.left).filter((id) => id !== SELECTION);
    const ids = isOwn || !right.some(isMember) ? right : right.filter(isMember);
    const selected = columnIds.slice(range.left, range.right + 1);
    const columns = ids.filter((id) => selected.includes(id)).length;
    const wanted = repeated(cells, { rows: range.bottom - range.top + 1, columns });
    const articles = await rowsUntil(range.top + wanted.length);
    if ('problem' in articles) return onProblems([articles.problem]);
    write(wanted, ids, articles.slice(range.top));
  };
}
