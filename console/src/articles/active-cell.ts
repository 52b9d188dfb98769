import type { KeyboardEvent } from 'react';

/** A cell by the index of its row and the ID of its column. */
export interface ActiveCell {
  readonly index: number;
  readonly columnId: string;
}

const PAGE_ROWS = 20;

interface Bounds {
  readonly rows: number;
  readonly columnIds: readonly string[];
}

interface Place {
  readonly row: number;
  readonly column: number;
}

type Step = (cell: Place, last: Place) => Place;

/** The keys of a grid, as in the ARIA practices and in spreadsheets. */
const STEPS: Readonly<Record<string, Step>> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column }) => ({ row: row + PAGE_ROWS, column }),
  PageUp: ({ row, column }) => ({ row: row - PAGE_ROWS, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, last) => ({ row, column: last.column }),
  'Control+Home': () => ({ row: 0, column: 0 }),
  'Control+End': (_, last) => last,
  'Control+ArrowDown': ({ column }, last) => ({ row: last.row, column }),
  'Control+ArrowUp': ({ column }) => ({ row: 0, column }),
  'Control+ArrowRight': ({ row }, last) => ({ row, column: last.column }),
  'Control+ArrowLeft': ({ row }) => ({ row, column: 0 }),
};

export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The cell to which a key moves; null for other keys. */
export function cellAfter(
  { key, ctrlKey, metaKey }: Press,
  from: ActiveCell,
  { rows, columnIds }: Bounds,
): ActiveCell | null {
  const step = STEPS[ctrlKey || metaKey ? `Control+${key}` : key];
  if (step === undefined || rows === 0) return null;
  const last = { row: rows - 1, column: columnIds.length - 1 };
  const column = Math.max(0, columnIds.indexOf(from.columnId));
  const next = step({ row: from.index, column }, last);
  const within = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  return { index: within(next.row, last.row), columnId: columnIds[within(next.column, last.column)] ?? '' };
}
