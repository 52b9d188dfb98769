import { useState } from 'react';

/** Cursors lead forwards only, so the earlier ones are kept for the way back. Another list begins at its first page. */
export function usePages(list = '') {
  const [{ of, kept }, setPages] = useState<{ of: string; kept: readonly string[] }>({ of: list, kept: [] });
  const cursors = of === list ? kept : [];
  const setCursors = (next: readonly string[]) => setPages({ of: list, kept: next });
  return {
    after: cursors.at(-1) ?? null,
    page: cursors.length + 1,
    forward: (cursor: string) => setCursors([...cursors, cursor]),
    back: () => setCursors(cursors.slice(0, -1)),
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
      <PageButton label="Previous" isDisabled={pages.page === 1} onClick={pages.back} />
      <span role="status">
        Page {pages.page}
        {total !== null && `, ${total} in all`}
      </span>
      <PageButton
        label="Next"
        isDisabled={!hasNextPage || endCursor === null}
        onClick={() => endCursor !== null && pages.forward(endCursor)}
      />
    </nav>
  );
}

interface PageButtonProps {
  label: string;
  isDisabled: boolean;
  onClick: () => void;
}

/** Keeps the focus on the first and the last page, which a button with `disabled` would lose. */
function PageButton({ label, isDisabled, onClick }: PageButtonProps) {
  return (
    <button type="button" aria-disabled={isDisabled} onClick={() => !isDisabled && onClick()}>
      {label}
    </button>
  );
}
