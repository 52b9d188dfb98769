import { useState } from 'react';
import { usePageEvent } from './page-event.ts';
import { Button, Dialog } from './parts.tsx';
import { useShared } from './shared.ts';

const KEYS = [
  '/: search. ?: show these keys',
  'Arrow keys, Home, End, Page Up and Down: move from cell to cell; with Ctrl to the edge',
  'Shift with these, or a drag: select a range. Ctrl A: all loaded cells',
  'Enter, F2, or typing: edit a cell; Escape leaves it as it was',
  'Space or a click in the first column: select the article; with Shift also all from the last one. Ctrl Enter: open its page',
  'In a text: Ctrl B, Ctrl I and Ctrl K for bold, italic and a link',
  'Ctrl C, Ctrl X, Ctrl V: copy, cut and paste cells, also from and to a spreadsheet',
  'Ctrl D: fill the range from its first row, or a row from the one above. Delete: empty the range',
  'Ctrl Z, Ctrl Y: undo and redo what is not sent yet',
];

const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

function actOf(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
  // The first one of its path is also known in the editor of a text, which is in a shadow root.
  const [target] = event.composedPath();
  if (altKey || (target instanceof Element && target.matches(FIELDS)) || document.querySelector('.dialog')) return null;
  if (!ctrlKey && !metaKey) return key === '/' ? 'search' : key === '?' ? 'show' : null;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' ? 'redo' : null;
}

/** The keys that work wherever nobody is typing and no dialog is open, and the list of all keys. */
export function Keys() {
  const { actions, changeView } = useShared();
  const [isShown, setIsShown] = useState(false);
  const acts = {
    undo: actions.undo,
    redo: actions.redo,
    show: () => setIsShown(true),
    search: () => {
      changeView({ tab: 'articles' });
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>('input[type="search"]')?.focus());
    },
  };
  usePageEvent('keydown', (event) => {
    const act = actOf(event);
    if (act === null) return;
    event.preventDefault();
    acts[act]();
  });
  return (
    <>
      <Button onClick={() => setIsShown(true)}>Keys</Button>
      {isShown && (
        <Dialog title="Keys" onClose={() => setIsShown(false)}>
          <ul className="lines">
            {KEYS.map((key) => (
              <li key={key}>{key}</li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
