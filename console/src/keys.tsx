import { useEffect, useRef } from 'react';
import { Popover } from './parts.tsx';
import { useShared } from './shared.ts';

const KEYS = [
  ['/', 'Search'],
  ['?', 'Show these keys'],
  ['Arrow keys, Home, End, Page Up and Down', 'Move from cell to cell; with Ctrl to the edge'],
  ['Shift with these, or a drag', 'Select a range'],
  ['Ctrl A', 'Select all loaded cells'],
  ['Enter, F2, or typing', 'Edit a cell; Escape leaves it as it was'],
  ['Space in the first column', 'Select the article'],
  ['Ctrl C, Ctrl X, Ctrl V', 'Copy, cut and paste cells, also from and to a spreadsheet'],
  ['Ctrl D', 'Fill the range from its first row, or a row from the one above'],
  ['Delete', 'Empty the range'],
  ['Ctrl Z, Ctrl Y', 'Undo and redo what is not sent yet'],
] as const;

const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

function actOf({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent) {
  if (altKey || (target instanceof Element && target.matches(FIELDS))) return null;
  if (!ctrlKey && !metaKey) return key === '/' ? 'search' : key === '?' ? 'show' : null;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' ? 'redo' : null;
}

/** The keys that work wherever nobody is typing, and the list of all keys. */
export function Keys() {
  const { actions } = useShared();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = actOf(event);
      if (act === null) return;
      event.preventDefault();
      if (act === 'search') document.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
      else if (act === 'show') list.current?.closest<HTMLElement>('[popover]')?.showPopover();
      else actions[act]();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actions]);
  return (
    <Popover label="Keys">
      <ul ref={list}>
        {KEYS.map(([keys, effect]) => (
          <li key={keys}>
            <strong>{keys}</strong>: {effect}
          </li>
        ))}
      </ul>
    </Popover>
  );
}
