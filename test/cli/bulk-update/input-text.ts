import type { InputFile } from '../../../src/cli/bulk-update/input-file.ts';

/** An input whose text arrives in pieces of some length. */
export const inputOf = (text: string, pieceLength = text.length): InputFile => ({
  name: 'the input',
  read: () => {
    let isRead = false;
    const pieces = async function* () {
      for (let at = 0; at < text.length; ) {
        const piece = text.slice(at, at + pieceLength);
        // A file is decoded to whole characters.
        const whole = /[\uD800-\uDBFF]$/u.test(piece) ? text.slice(at, at + pieceLength + 1) : piece;
        yield whole;
        at += whole.length;
      }
      isRead = true;
    };
    return { text: pieces(), digest: () => (isRead ? text : null) };
  },
  close: () => {},
});
