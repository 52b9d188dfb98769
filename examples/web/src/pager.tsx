import { useState } from 'react';

/** Cursors lead forwards only, so the earlier ones are kept for the way back. */
export function usePages() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    after: cursors.at(-1) ?? null,
    page: cursors.length + 1,
    forward: (cursor: string) => setCursors([...cursors, cursor]),
    back: () => setCursors(cursors.slice(0, -1)),
    restart: () => setCursors([]),
  };
}

interface PagerProps {
  pages: ReturnType<typeof usePages>;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  /** Null when the service reports no total. */
  total: number | null;
}

export function Pager({ pages, pageInfo: { hasNextPage, endCursor }, total }: PagerProps) {
  return (
    <nav className="inline" aria-label="Pages">
      <button type="button" disabled={pages.page === 1} onClick={pages.back}>
        Previous
      </button>
      <span>
        Page {pages.page}
        {total !== null && `, ${total} in all`}
      </span>
      <button
        type="button"
        disabled={!hasNextPage || endCursor === null}
        onClick={() => endCursor !== null && pages.forward(endCursor)}
      >
        Next
      </button>
    </nav>
  );
}
