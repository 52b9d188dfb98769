/** Characters that are kept for a slow reader. Further lines are dropped and counted. */
const MAX_BUFFERED_CHARS = 4 * 1024 ** 2;

/**
 * Writes the lines of one tick together, because a write to a file is synchronous: by a profile, one write per line
 * took a tenth of the time of a reader group update. The rest is written when the process exits. `bufferedChars`
 * returns what the stream still holds, so that a pipe that is not read cannot fill the memory.
 */
export function createLineWriter(write: (text: string) => void, bufferedChars = () => 0): (line: string) => void {
  let text = '';
  let dropped = 0;
  const flush = () => {
    if (text !== '') write(text);
    text = '';
  };
  process.once('exit', flush);
  return (line) => {
    if (bufferedChars() + text.length + line.length > MAX_BUFFERED_CHARS) {
      dropped += 1;
      return;
    }
    if (text === '') setImmediate(flush);
    if (dropped > 0) text += droppedLinesMessage(dropped);
    dropped = 0;
    text += line;
  };
}

function droppedLinesMessage(lines: number): string {
  const line = { time: new Date().toISOString(), level: 'warn', message: 'lines of the log were dropped', lines };
  return `${JSON.stringify(line)}\n`;
}
