import { diff } from 'node:util';
import { toPrintable } from '../../core/base/printable.ts';

/** The most lines that are compared one by one, which takes their square in time. Longer changes are shown as one. */
const MAX_COMPARED_LINES = 400;

/** The most changes of a text that are shown. */
const MAX_PLACES = 10;

/** The most removed lines of a change that are shown, and as many added ones. */
const MAX_LINES = 5;

/** The most characters of a line that are shown. */
const MAX_LINE_CHARS = 80;

/** The characters before the first difference of two lines that are shown. */
const LEADING_CHARS = 20;

/** Lines that replace others. */
interface ChangedPlace {
  /** The line of the old text at which the change begins, from 1. */
  readonly line: number;
  readonly removed: string[];
  readonly added: string[];
}

/** The lines that differ between two texts, for people: some lines of the first changes. */
export function textDiff(from: string, to: string): readonly string[] {
  const places = changedPlaces(linesOf(from), linesOf(to));
  const more = places.length - MAX_PLACES;
  const shown = places.slice(0, MAX_PLACES).flatMap(showPlace);
  return more > 0 ? [...shown, `and ${more} more places`] : shown;
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/\r\n|\n|\r/u));

function changedPlaces(before: readonly string[], after: readonly string[]): readonly ChangedPlace[] {
  const shorter = Math.min(before.length, after.length);
  const start = countWhile(shorter, (n) => before[n] === after[n]);
  const end = countWhile(shorter - start, (n) => before.at(-1 - n) === after.at(-1 - n));
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  if (removed.length + added.length === 0) return [];
  const isOnePlace = removed.length === 0 || added.length === 0;
  if (isOnePlace || removed.length + added.length > MAX_COMPARED_LINES) return [{ line: start + 1, removed, added }];
  const places: ChangedPlace[] = [];
  let line = start + 1;
  let place: ChangedPlace | null = null;
  for (const [side, text] of diff(removed, added)) {
    if (side === 0) place = null;
    else {
      place ??= { line, removed: [], added: [] };
      if (places.at(-1) !== place) places.push(place);
      (side === 1 ? place.removed : place.added).push(text);
    }
    if (side !== -1) line += 1;
  }
  return places;
}

function showPlace({ line, removed, added }: ChangedPlace): readonly string[] {
  const show = (sign: string, lines: readonly string[], others: readonly string[]) => {
    const shown = lines.slice(0, MAX_LINES).map((text, n) => `${sign} ${cutLine(text, others[n] ?? '')}`);
    return lines.length > MAX_LINES ? [...shown, `${sign} and ${lines.length - MAX_LINES} more lines`] : shown;
  };
  return [`line ${line}:`, ...show('-', removed, added), ...show('+', added, removed)];
}

/** Cuts a line so that it begins shortly before its first difference from the other one. */
function cutLine(line: string, other: string): string {
  const same = countWhile(Math.min(line.length, other.length), (n) => line[n] === other[n]);
  const start = line.length > MAX_LINE_CHARS ? Math.max(0, same - LEADING_CHARS) : 0;
  const end = start + MAX_LINE_CHARS;
  return toPrintable(`${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`);
}

/** Counts how many of the numbers from 0 to a limit hold before the first that does not. */
function countWhile(limit: number, holds: (n: number) => boolean): number {
  let count = 0;
  while (count < limit && holds(count)) count += 1;
  return count;
}
