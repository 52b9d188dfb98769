import { useDeferredValue, useMemo, useState } from 'react';
import { createSanitizer } from './html.ts';

/** The most characters that are shown. */
const MAX_CHARS = 200_000;

/** A text as readers see it, without its images and links. No script can run in its frame. */
export function Preview({ text, isHtml }: { text: string; isHtml: boolean }) {
  const shown = useDeferredValue(text.slice(0, MAX_CHARS));
  const [safeHtmlOf] = useState(createSanitizer);
  const html = useMemo(() => safeHtmlOf(shown, isHtml), [safeHtmlOf, shown, isHtml]);
  return (
    <>
      {text.length > MAX_CHARS && <p className="hint">The first {MAX_CHARS} characters.</p>}
      <iframe title="Preview" sandbox="" srcDoc={html} />
    </>
  );
}
