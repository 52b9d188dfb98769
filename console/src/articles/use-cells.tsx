import { type ClipboardEvent, type KeyboardEvent, type SyntheticEvent, useRef, useState } from 'react';
import { useShared } from '../shared.ts';
import { type ActiveCell, cellAfter, type Press, SELECTION } from './active-cell.ts';
import type { GridProps } from './article-table.ts';
import { CellEditor, type Move } from './cell-editor.tsx';
import { cellText, readCell } from './cell-values.ts';
import { isMember, keyOf } from './edits.ts';
import { readPaste } from './paste.ts';

/** The Enter key, for double clicks and for moves after an edit. */
const ENTER: Press = { key: 'Enter', ctrlKey: false, metaKey: false, altKey: false };

interface CellOptions {
  readonly columnIds: readonly string[];
  readonly scrollTo: (index: number) => void;
}

/** The active cell, which has the focus when the grid has it, with its editing by keys, typing and pasting. */
export function useCells(props: GridProps, { columnIds, scrollTo }: CellOptions) {
  const [active, setActive] = useState<ActiveCell>({ index: 0, columnId: 'title' });
  const wantsFocus = useRef(false);
  const go = (press: Press): boolean => {
    const next = cellAfter(press, active, { rows: props.list.articles.length, columnIds });
    if (next === null) return false;
    wantsFocus.current = true;
    scrollTo(next.index);
    setActive(next);
    return true;
  };
  const { editor, startBy, paste } = useEditor(props, {
    active,
    columnIds,
    onEnd: (move) => {
      wantsFocus.current = move !== '';
      go({ ...ENTER, key: move ?? '' });
    },
  });
  const handlers = {
    onKeyDown: (event: KeyboardEvent) => {
      if (cellAt(event) && (startBy(event) || go(event))) event.preventDefault();
    },
    onPaste: (event: ClipboardEvent) => {
      if (paste(event.clipboardData.getData('text/plain'))) event.preventDefault();
    },
    onFocus: (event: SyntheticEvent) => setActive((current) => cellAt(event) ?? current),
    onDoubleClick: (event: SyntheticEvent) => cellAt(event) && startBy(ENTER),
  };
  return { active, editor, wantsFocus, handlers };
}

interface EditorOptions {
  readonly active: ActiveCell;
  readonly columnIds: readonly string[];
  /** Called at the end of an edit, without a move where it was cancelled. */
  readonly onEnd: (move?: Move) => void;
}

/** The editor of the active cell where that can be edited, once a key has opened it, and the handler of pastes. */
function useEditor({ list, categories, onProblems }: GridProps, { active, columnIds, onEnd }: EditorOptions) {
  const { work, actions, mayWrite } = useShared();
  // The edit in progress: the typed text, or null for the text of the cell.
  const [editing, setEditing] = useState<{ readonly text: string | null } | null>(null);
  const article = list.articles[active.index];
  const member = mayWrite && isMember(active.columnId) ? active.columnId : null;
  if (!article || !member) return { editor: null, startBy: () => false, paste: () => false };
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
    editor: editing && (
      <CellEditor member={member} categories={categories} text={editing.text ?? own} onCommit={commit} onCancel={end} />
    ),
    startBy: (press: Press): boolean => {
      const started = editingBy(press, member);
      if (started) setEditing(started);
      return started !== null;
    },
    paste: (text: string): boolean => {
      if (editing) return false;
      const { changes, problems } = readPaste(text, {
        articles: list.articles.slice(active.index),
        columnIds: columnIds.slice(columnIds.indexOf(member)),
        categories,
      });
      actions.edit(changes);
      onProblems(problems);
      return true;
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

/** The text with which a key opens an editor: Enter and F2 keep it, a character replaces it. Null for other keys. */
function editingBy({ key, ctrlKey, metaKey, altKey }: Press, member: string) {
  if (key === 'Enter' || key === 'F2') return { text: null };
  const isTyped = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
  if (!isTyped) return null;
  return { text: member === 'title' || member === 'order' ? key : null };
}
