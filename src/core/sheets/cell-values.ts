const TRUE_WORDS = [
  '1 TRUE YES Y ON X WAHR JA VRAI OUI VERDADERO SÍ VERO SÌ VERDADEIRO SIM WAAR PRAWDA TAK SANT SAND SANN TOSI KYLLÄ',
  'DOĞRU EVET PRAVDA ANO ÁNO IGAZ IGEN ADEVĂRAT DA ИСТИНА ДА ІСТИНА ТАК ΑΛΗΘΗΣ ΝΑΙ',
].join(' ');
const FALSE_WORDS = [
  '0 FALSE NO N OFF FALSCH NEIN FAUX NON FALSO NÃO ONWAAR NEE FAŁSZ NIE FALSKT FALSK USANN NEJ NEI EPÄTOSI EI',
  'YANLIŞ HAYIR NEPRAVDA NE HAMIS NEM FALS NU ЛОЖЬ НЕТ ХИБНІСТЬ НІ ΨΕΥΔΗΣ ΌΧΙ',
].join(' ');

/**
 * The words for true and false in the spreadsheets of many languages, and those that people type. They are in upper
 * case, in which the Turkish I and ı are one letter.
 */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...TRUE_WORDS.split(' ').map((word) => [word, true] as const),
  ...FALSE_WORDS.split(' ').map((word) => [word, false] as const),
]);

/** UTF-16 units of the longest word, with its accents apart. */
const MAX_WORD_LENGTH = 20;

/** The value of a cell that is true or false; undefined where it is neither. */
export function flagOfCell(cell: string): boolean | undefined {
  const word = cell.trim();
  return word.length > MAX_WORD_LENGTH ? undefined : FLAGS.get(word.normalize('NFC').toUpperCase());
}

/**
 * The whole number of a cell; null where it is none. Spreadsheets show some with decimals: `3.0`. Three zeros are not
 * taken as such, since `1.000` is a thousand in many languages.
 */
export function wholeNumberOf(cell: string): number | null {
  const [, digits] = /^(-?\d{1,15})(?:[.,]0{1,2})?$/u.exec(cell.trim()) ?? [];
  return digits === undefined ? null : Number(digits);
}
