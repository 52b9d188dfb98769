import { type FocusEvent, type KeyboardEvent, useRef } from 'react';
import { useShared } from '../shared.ts';
import { choicesOf } from './cell-values.ts';
import { MEMBER_NAMES, type Member } from './edits.ts';

/** The key by which the active cell moves after an edit; '' where it stays. */
export type Move = '' | 'ArrowDown' | 'ArrowRight' | 'ArrowLeft';

interface CellEditorProps {
  member: Member;
  text: string;
  onCommit: (text: string, move: Move) => void;
  onCancel: () => void;
}

const focusNow = (field: HTMLElement | null) => field?.focus();

/** Edits a cell. Enter, Tab and leaving the field accept the value; Escape does not. */
export function CellEditor({ member, text, onCommit, onCancel }: CellEditorProps) {
  const { categories } = useShared();
  // Null where the value is not accepted.
  const move = useRef<Move | null>('');
  const props = {
    ref: focusNow,
    'aria-label': MEMBER_NAMES[member],
    defaultValue: text,
    className: 'editor',
    onBlur: ({ currentTarget: { value } }: FocusEvent<HTMLInputElement | HTMLSelectElement>) =>
      move.current === null ? onCancel() : onCommit(value, move.current),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLSelectElement>) => {
      event.stopPropagation();
      const { key, shiftKey, currentTarget } = event;
      if (key !== 'Enter' && key !== 'Tab' && key !== 'Escape') return;
      event.preventDefault();
      const moves = { Enter: 'ArrowDown', Tab: shiftKey ? 'ArrowLeft' : 'ArrowRight', Escape: null } as const;
      move.current = moves[key];
      currentTarget.blur();
    },
  };
  const choices = choicesOf(member, categories)?.map(([, choice]) => choice) ?? null;
  if (choices === null) return <input {...props} inputMode={member === 'order' ? 'numeric' : 'text'} />;
  return (
    <select {...props}>
      {choices.includes(text) || <option>{text}</option>}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}
