import { useMade } from '../worker/use-made.ts';

/** The most characters that are shown. */
const MAX_CHARS = 200_000;

/** A text as readers see it, without its images and links. No script can run in its frame. */
export function Preview({ text, isHtml }: { text: string; isHtml: boolean }) {
  const shown = text.slice(0, MAX_CHARS);
  const html = useMade({ kind: isHtml ? 'html' : 'markdown', text: shown });
  return (
    <>
      {text.length > MAX_CHARS && <p className="hint">The first {MAX_CHARS} characters.</p>}
      {html === null ? (
        <>
          <p className="doubt">A preview of this text takes too long, so it is shown as it is written.</p>
          <pre className="plain-text">{shown}</pre>
        </>
      ) : (
        <iframe title="Preview" sandbox="" srcDoc={html ?? ''} />
      )}
    </>
  );
}
