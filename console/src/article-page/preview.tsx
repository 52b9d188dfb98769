import { useMade } from '../shared.ts';

interface PreviewProps {
  text: string;
  isHtml: boolean;
  lang: string;
}

/** The style of the preview, which is a file of the page's own origin. */
const styleAddress = (): string => document.querySelector('meta[name="preview"]')?.getAttribute('content') ?? '';

/** A text as readers see it, without its images and links. No script can run in its frame. */
export function Preview({ text, isHtml, lang }: PreviewProps) {
  const html = useMade({ kind: 'html', text, isHtml });
  if (html === undefined) return <p className="hint">Loading…</p>;
  if (html !== null) {
    const page = `<link rel="stylesheet" href="${styleAddress()}"><div lang="${encodeURIComponent(lang)}">${html}</div>`;
    // Each text has a frame of its own, since another one in the same frame would be a step of the browser's history.
    return <iframe key={page} title="Preview" sandbox="" srcDoc={page} />;
  }
  return (
    <>
      <p className="doubt">A preview of this text could not be made in a second, so it is shown as it is written.</p>
      <pre className="plain-text">{text}</pre>
    </>
  );
}
