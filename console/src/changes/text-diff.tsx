import { useState } from 'react';
import { Button, counted } from '../parts.tsx';
import type { DiffLine } from '../worker/text-diff.ts';
import { useMade } from '../worker/use-made.ts';

/** The most lines that are shown at first. */
const MOST_LINES = 60;

/** What a text loses and gains, line by line, with the words marked in which lines differ. */
export function TextDiff({ from, to }: { from: string; to: string }) {
  const lines = useMade({ kind: 'diff', from, to });
  const [showsAll, setShowsAll] = useState(false);
  if (lines === undefined) return <p className="hint">Comparing…</p>;
  if (lines === null)
    return (
      <>
        <p className="doubt">Comparing these texts takes too long: the whole old one, and the whole new one.</p>
        <pre className="diff">
          <del>{from}</del>
          <ins>{to}</ins>
        </pre>
      </>
    );
  const shown = showsAll ? lines : lines.slice(0, MOST_LINES);
  return (
    <>
      <pre className="diff">
        {[...shown.entries()].map(([index, line]) => (
          <Line key={index} line={line} />
        ))}
      </pre>
      {shown.length < lines.length && <Button onClick={() => setShowsAll(true)}>Show all that changes</Button>}
    </>
  );
}

function Line({ line }: { line: DiffLine }) {
  if (line.kind === 'gap') return <span className="hint">{counted(line.lines, 'line')} unchanged</span>;
  const text = [...line.parts.entries()].map(([index, part]) =>
    part.isMarked ? <mark key={index}>{part.text}</mark> : part.text,
  );
  if (line.kind === 'removed') return <del>− {text}</del>;
  return line.kind === 'added' ? <ins>+ {text}</ins> : <span>&nbsp; {text}</span>;
}
