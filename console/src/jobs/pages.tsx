import { useState } from 'react';
import type { PageFieldsFragment } from '../generated/graphql.ts';
import { Button } from '../parts.tsx';

/** The cursor of the page of a list that is shown, and the buttons to others, which stay so that none loses the focus. */
export function usePages(size: number) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const before = cursors.length * size;
  const buttonsOf = (count: number, info: PageFieldsFragment | undefined) => {
    const next = info?.hasNextPage ? info.endCursor : null;
    return (
      (before > 0 || next !== null) && (
        <span className="inline">
          <Button aria-disabled={before === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            Previous page
          </Button>
          {before + 1} to {before + count}
          <Button aria-disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>
            Next page
          </Button>
        </span>
      )
    );
  };
  return { after: cursors.at(-1) ?? null, buttonsOf, restart: () => setCursors([]) };
}
