import { useMade } from '../worker/use-made.ts';

/** A text as readers see it, without its images and links. No script can run in its frame. */
export function Preview({ text, isHtml }: { text: string; isHtml: boolean }) {
  const html = useMade({ kind: isHtml ? 'html' : 'markdown', text });
  if (html !== null) return <iframe title="Preview" sandbox="" srcDoc={html ?? ''} />;
  return (
    <>
      <p className="doubt">A preview of this text could not be made in a second, so it is shown as it is written.</p>
      <pre className="plain-text">{text}</pre>
    </>
  );
}
