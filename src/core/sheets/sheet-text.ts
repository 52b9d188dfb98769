import { err, ok, type Result } from '../base/result.ts';

/** The first bytes of files that name their encoding, or show it: the text of a sheet begins with an ASCII character. */
const ENCODINGS = [
  { encoding: 'utf-8', first: [0xef, 0xbb, 0xbf], mark: 3 },
  { encoding: 'utf-16le', first: [0xff, 0xfe], mark: 2 },
  { encoding: 'utf-16be', first: [0xfe, 0xff], mark: 2 },
  { encoding: 'utf-16le', first: [null, 0], mark: 0 },
  { encoding: 'utf-16be', first: [0], mark: 0 },
  { encoding: 'utf-8', first: [], mark: 0 },
] as const satisfies readonly { encoding: string; first: readonly (number | null)[]; mark: number }[];

/** The first bytes of the workbooks of spreadsheets: `PK`, and those of old versions of Excel. */
const WORKBOOKS: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const WORKBOOK = 'is the workbook of a spreadsheet, and no text. Save it as "CSV UTF-8".';
const NO_UNICODE =
  'is neither UTF-8 nor UTF-16, so its letters are uncertain. Save it as UTF-8, in Excel as "CSV UTF-8", in LibreOffice with the character set "Unicode (UTF-8)".';

/** The bytes that are decoded at a time. */
const STEP = 1024 * 1024;

/** The text of a file as UTF-8 without a byte order mark. The error is the rest of a sentence that begins with the file. */
export function utf8Of(bytes: Uint8Array): Result<Uint8Array, string> {
  const beginsWith = (first: readonly (number | null)[]) =>
    bytes.length >= first.length && first.every((byte, at) => byte === null || byte === bytes[at]);
  if (WORKBOOKS.some(beginsWith)) return err(WORKBOOK);
  const found = ENCODINGS.find(({ first }) => beginsWith(first));
  const text = bytes.subarray(found?.mark);
  const decoder = new TextDecoder(found?.encoding, { fatal: true, ignoreBOM: true });
  const isUtf8 = found?.encoding === 'utf-8';
  const parts: Uint8Array[] = [];
  try {
    for (let at = 0; at < text.length; at += STEP) {
      const part = decoder.decode(text.subarray(at, at + STEP), { stream: true });
      if (!isUtf8) parts.push(new TextEncoder().encode(part));
    }
    decoder.decode();
  } catch {
    return err(NO_UNICODE);
  }
  return ok(isUtf8 ? text : joined(parts));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
