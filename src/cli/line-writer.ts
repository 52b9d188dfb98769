/** Characters that are kept for a reader who is slow; further lines are dropped, and counted. */
const MAX_WAITING = 4 * 1024 ** 2;

/**
 * Writes the lines of one turn of the event loop together: a write to a file ends before the next thing begins, and one
 * for each line took a tenth of the time of a reader group's update, by its profile. What a process leaves is written when
 * it ends. `waiting` tells what the stream holds already: a pipe that nobody reads would otherwise fill the memory.
 */
export function createLineWriter(write: (text: string) => void, waiting = () => 0): (line: string) => void {
  let text = '';
  let dropped = 0;
  const flush = () => {
    if (text !== '') write(text);
    text = '';
  };
  process.once('exit', flush);
  return (line) => {
    if (waiting() + text.length + line.length > MAX_WAITING) {
      dropped += 1;
      return;
    }
    if (text === '') setImmediate(flush);
    if (dropped > 0) text += tellDropped(dropped);
    dropped = 0;
    text += line;
  };
}

const tellDropped = (lines: number): string =>
  `${JSON.stringify({ time: new Date().toISOString(), level: 'warn', message: 'lines of the log were dropped', lines })}\n`;
