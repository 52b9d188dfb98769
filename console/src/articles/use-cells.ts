import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { type Shared, useShared } from '../shared.ts';
import type { Move } from './cell-editor.tsx';
import { cellText, readCell } from './cell-values.ts';
import { isMember, keyOf, type Member } from './edits.ts';
import type { GridProps } from './grid.tsx';
import type { RowHandlers } from './grid-row.tsx';
import { readPaste } from './paste.ts';
import { type ActiveCell, cellAfter, useActiveCell } from './use-active-cell.ts';

const MOVE_KEYS: Readonly<Record<Move, string>> = {
  stay: '',
  down: 'ArrowDown',
  right: 'ArrowRight',
  left: 'ArrowLeft',
};

type Props = GridProps & Shared;

interface CellOptions {
  readonly columnIds: readonly string[];
  readonly scrollTo: (index: number) => void;
}

/** What the active cell is edited from: the typed text, or null for its own. */
type Editing = { readonly text: string | null } | null;

/** The active cell, and its editing by keys, by typing and by pasting. */
export function useCells(gridProps: GridProps, options: CellOptions) {
  const props = { ...gridProps, ...useShared() };
  const { list, mayWrite } = props;
  const { active, activate } = useActiveCell();
  const [editing, setEditing] = useState<Editing>(null);
  const wantsFocus = useRef(false);
  const isEditable = mayWrite && isMember(active.columnId) && list.articles[active.index] !== undefined;
  const go = (event: Parameters<typeof cellAfter>[0]): boolean => {
    const next = cellAfter(event, active, { rows: list.articles.length, columnIds: options.columnIds });
    if (next === null) return false;
    wantsFocus.current = true;
    options.scrollTo(next.index);
    activate(next.index, next.columnId);
    return true;
  };
  const handlers = useRowHandlers(props, { activate, setEditing, wantsFocus, go });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('thead') !== null) return;
    const started = isEditable ? editingBy(event, active) : null;
    if (started !== null) setEditing(started);
    if (started !== null || go(event)) event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!isEditable || editing !== null) return;
    event.preventDefault();
    paste(props, { text: event.clipboardData.getData('text/plain'), active, columnIds: options.columnIds });
  };
  return { active, editing, wantsFocus, handlers, onKeyDown, onPaste };
}

/** Enter and F2 edit a cell as it is; a character replaces what is typed into it. Null for other keys. */
function editingBy({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { columnId }: ActiveCell): Editing {
  if (key === 'Enter' || key === 'F2') return { text: null };
  const isTyped = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
  if (!isTyped) return null;
  return { text: columnId === 'title' || columnId === 'order' ? key : null };
}

interface PasteOptions {
  readonly text: string;
  readonly active: ActiveCell;
  readonly columnIds: readonly string[];
}

function paste({ list, categories, actions, onProblems }: Props, { text, active, columnIds }: PasteOptions): void {
  const { changes, problems } = readPaste(text, {
    articles: list.articles.slice(active.index),
    columnIds: columnIds.slice(columnIds.indexOf(active.columnId)),
    categories,
  });
  actions.edit(changes);
  onProblems(problems);
}

interface RowHandlerOptions {
  readonly activate: RowHandlers['activate'];
  readonly setEditing: (editing: Editing) => void;
  readonly wantsFocus: RefObject<boolean>;
  readonly go: (event: Parameters<typeof cellAfter>[0]) => boolean;
}

/** The same object at each render, so that a row is rendered again only when it has changed. */
function useRowHandlers(props: Props, { activate, setEditing, wantsFocus, go }: RowHandlerOptions): RowHandlers {
  const latest = useRef({ props, go });
  useEffect(() => {
    latest.current = { props, go };
  });
  return useMemo(
    () => ({
      activate,
      startEditing(index, columnId) {
        activate(index, columnId);
        if (latest.current.props.mayWrite && isMember(columnId)) setEditing({ text: null });
      },
      commit(article, member, { text, move }) {
        setEditing(null);
        enter(latest.current.props, { article, member, text });
        wantsFocus.current = move !== 'stay';
        latest.current.go({ key: MOVE_KEYS[move], ctrlKey: false, metaKey: false });
      },
      cancel() {
        wantsFocus.current = true;
        setEditing(null);
      },
      toggle: (article) => latest.current.props.selection.toggle(article),
    }),
    [activate, setEditing, wantsFocus],
  );
}

interface Entry {
  readonly article: ArticleFieldsFragment;
  readonly member: Member;
  readonly text: string;
}

function enter({ work, categories, actions, onProblems }: Props, { article, member, text }: Entry): void {
  const change = work.edits.get(keyOf(article))?.change;
  if (text === cellText(article, member, { change, categories })) return;
  const read = readCell(member, text, categories);
  onProblems('problem' in read ? [read.problem] : []);
  if ('change' in read) actions.edit([[article, read.change]]);
}
