import { useState } from 'react';
import { counted } from '../counted.ts';
import { Button } from '../parts.tsx';
import { useMade, useShared } from '../shared.ts';
import type { DiffLine } from '../worker/text-diff.ts';

/** The most lines that are shown at first. */
const MOST_LINES = 60;

interface TextDiffProps {
  from: string;
  to: string;
  /** Called with the new text without one place. */
  onChange?: ((text: string) => void) | undefined;
}

/** What a text loses and gains, line by line, with the words marked in which lines differ. Places can be left out. */
export function TextDiff({ from, to, onChange }: TextDiffProps) {
  const { texts } = useShared();
  const leaveOut = async (place: number) => {
    const text = await texts.make({ kind: 'without', from, to, place }, () => true);
    if (text !== null) onChange?.(text);
  };
  const lines = useMade({ kind: 'diff', from, to });
  const [showsAll, setShowsAll] = useState(false);
  if (lines === undefined) return <p className="hint">Comparing…</p>;
  if (lines === null)
    return (
      <>
        <p className="doubt">
          These texts could not be compared in a second: the whole old one, and the whole new one.
        </p>
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
          <Line key={index} line={line} onLeaveOut={onChange && leaveOut} />
        ))}
      </pre>
      {shown.length < lines.length && <Button onClick={() => setShowsAll(true)}>Show all that changes</Button>}
    </>
  );
}

interface LineProps {
  line: DiffLine;
  onLeaveOut: ((place: number) => void) | undefined;
}

function Line({ line, onLeaveOut }: LineProps) {
  if (line.kind === 'place')
    return (
      onLeaveOut && (
        <Button className="place" onClick={() => onLeaveOut(line.place)}>
          Leave out this place
        </Button>
      )
    );
  if (line.kind === 'gap') return <span className="hint">{counted(line.lines, 'line')} unchanged</span>;
  const text = [...line.parts.entries()].map(([index, part]) =>
    part.isMarked ? <mark key={index}>{part.text}</mark> : part.text,
  );
  if (line.kind === 'removed') return <del>− {text}</del>;
  return line.kind === 'added' ? <ins>+ {text}</ins> : <span>&nbsp; {text}</span>;
}
