import { applyPatch, diffWordsWithSpace, reversePatch, structuredPatch } from 'diff';

/** A part of a line. A marked one is what differs from the line in whose place it is. */
interface LinePart {
  readonly text: string;
  readonly isMarked: boolean;
}

type LineKind = 'same' | 'removed' | 'added';

export type DiffLine =
  | { readonly kind: LineKind; readonly parts: readonly LinePart[] }
  /** Unchanged lines that are left out. */
  | { readonly kind: 'gap'; readonly lines: number }
  /** The beginning of a place, before its lines. */
  | { readonly kind: 'place'; readonly place: number };

const CONTEXT_LINES = 2;

const KINDS: Readonly<Record<string, LineKind>> = { ' ': 'same', '-': 'removed', '+': 'added' };

interface Comparison {
  readonly from: string;
  readonly to: string;
}

/** Compares texts line by line, and lines that take the place of others word by word. */
export function diffTexts({ from, to }: Comparison): readonly DiffLine[] {
  let next = 1;
  return patchOf(from, to).hunks.flatMap((hunk, place) => {
    const gap = hunk.oldStart - next;
    next = hunk.oldStart + hunk.oldLines;
    const lines = runsOf(hunk.lines).flatMap(({ kind, texts }, index, runs) => {
      const before = runs[index - 1];
      const after = runs[index + 1];
      if (kind === 'removed' && after?.kind === 'added') return replacedLines(texts, after.texts);
      return kind === 'added' && before?.kind === 'removed' ? [] : texts.map((text) => whole(kind, text));
    });
    const begin = { kind: 'place', place } as const;
    return gap > 0 ? [{ kind: 'gap', lines: gap } as const, begin, ...lines] : [begin, ...lines];
  });
}

const patchOf = (from: string, to: string) => structuredPatch('', '', from, to, '', '', { context: CONTEXT_LINES });

/** The new text with one place as it was in the old one. */
export function withoutPlace({ from, to, place }: Comparison & { readonly place: number }): string {
  const patch = patchOf(from, to);
  const undone = applyPatch(to, reversePatch({ ...patch, hunks: patch.hunks.slice(place, place + 1) }));
  return undone === false ? to : undone;
}

/** My text on top of theirs; null where both change the same lines of the base. */
export function rebased({ base, theirs, mine }: Readonly<Record<'base' | 'theirs' | 'mine', string>>): string | null {
  const applied = applyPatch(theirs, patchOf(base, mine));
  return applied === false ? null : applied;
}

/** Joins lines of one kind that follow each other. What is no line, as the note of a missing line end, is left out. */
function runsOf(signed: readonly string[]) {
  const runs: { readonly kind: LineKind; readonly texts: string[] }[] = [];
  for (const line of signed) {
    const kind = KINDS[line.slice(0, 1)];
    if (kind === undefined) continue;
    if (runs.at(-1)?.kind !== kind) runs.push({ kind, texts: [] });
    runs.at(-1)?.texts.push(line.slice(1));
  }
  return runs;
}

const whole = (kind: LineKind, text: string): DiffLine => ({ kind, parts: [{ text, isMarked: false }] });

/** The removed lines before the added ones, with the words marked in which each differs from the one in its place. */
function replacedLines(removed: readonly string[], added: readonly string[]): readonly DiffLine[] {
  const pairs = removed.slice(0, added.length).map((line, index) => diffWordsWithSpace(line, added[index] ?? ''));
  const side = (kind: 'removed' | 'added', other: 'removed' | 'added', texts: readonly string[]) =>
    texts.map((text, index): DiffLine => {
      const own = pairs[index]?.filter((word) => !word[other]);
      const parts = own?.map((word) => ({ text: word.value, isMarked: Boolean(word[kind]) }));
      return parts ? { kind, parts } : whole(kind, text);
    });
  return [...side('removed', 'added', removed), ...side('added', 'removed', added)];
}
