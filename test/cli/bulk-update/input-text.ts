import type { InputFile } from '../../../src/cli/bulk-update/rows/input-file.ts';

/** An input whose text arrives in pieces of some length. */
export const inputOf = (text: string, pieceLength = text.length): InputFile => ({
  name: 'the input',
  read: () => {
    let isRead = false;
    const pieces = async function* () {
      for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
      isRead = true;
    };
    return { text: pieces(), digest: () => (isRead ? text : null) };
  },
  close: () => {},
});
