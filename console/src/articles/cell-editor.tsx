import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import type { CategoryChoice } from './categories.ts';
import { choicesOf } from './cell-values.ts';
import { MEMBER_NAMES, type Member } from './edits.ts';

/** The key by which the active cell moves after an edit; '' where it stays. */
export type Move = '' | 'ArrowDown' | 'ArrowRight' | 'ArrowLeft';

interface CellEditorProps {
  member: Member;
  text: string;
  categories: readonly CategoryChoice[];
  onCommit: (text: string, move: Move) => void;
  onCancel: () => void;
}

/** Edits a cell. Enter, Tab and leaving the field accept the value; Escape does not. */
export function CellEditor({ member, text, categories, onCommit, onCancel }: CellEditorProps) {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const hasEnded = useRef(false);
  useEffect(() => field.current?.focus(), []);
  const end = (act: () => void) => {
    if (hasEnded.current) return;
    hasEnded.current = true;
    act();
  };
  const props = {
    ref: field,
    'aria-label': MEMBER_NAMES[member],
    defaultValue: text,
    className: 'editor',
    onBlur: ({ currentTarget: { value } }: FocusEvent<HTMLInputElement | HTMLSelectElement>) =>
      end(() => onCommit(value, '')),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLSelectElement>) => {
      event.stopPropagation();
      const { key, shiftKey, currentTarget } = event;
      if (key === 'Escape') end(onCancel);
      if (key !== 'Enter' && key !== 'Tab') return;
      event.preventDefault();
      const sideways = shiftKey ? 'ArrowLeft' : 'ArrowRight';
      end(() => onCommit(currentTarget.value, key === 'Enter' ? 'ArrowDown' : sideways));
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
