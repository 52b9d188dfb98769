import { diffWordsWithSpace } from 'diff';
import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../parts.tsx';

/** The longest time of comparing texts, in milliseconds. After that the whole old text is shown before the whole new one. */
const TIMEOUT_MS = 300;

/** Unchanged characters that are shown before and after a change. */
const CONTEXT_CHARS = 80;

/** The most parts that are shown at first. */
const MOST_PARTS = 60;

interface Part {
  readonly value: string;
  readonly added?: boolean;
  readonly removed?: boolean;
}

/** The removed and added parts of a text, with some of the unchanged text. */
export function TextDiff({ from, to: typed }: { from: string; to: string }) {
  const to = useDeferredValue(typed);
  const [showsAll, setShowsAll] = useState(false);
  const parts = useMemo<readonly Part[]>(
    () =>
      diffWordsWithSpace(from, to, { timeout: TIMEOUT_MS }) ?? [
        { value: from, removed: true },
        { value: to, added: true },
      ],
    [from, to],
  );
  const shown = showsAll ? parts : parts.slice(0, MOST_PARTS);
  return (
    <>
      <p className="diff">
        {[...shown.entries()].map(([index, part]) => (
          <DiffPart key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
        ))}
      </p>
      {shown.length < parts.length && <Button onClick={() => setShowsAll(true)}>Show all that changes</Button>}
    </>
  );
}

function DiffPart({ part, isFirst, isLast }: { part: Part; isFirst: boolean; isLast: boolean }) {
  const { value, added, removed } = part;
  if (removed) return <del>{value}</del>;
  if (added) return <ins>{value}</ins>;
  const before = isFirst ? '' : value.slice(0, CONTEXT_CHARS);
  const behind = isLast ? '' : value.slice(-CONTEXT_CHARS);
  return <span>{value.length > before.length + behind.length ? `${before}…${behind}` : value}</span>;
}
