import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInput } from '../../../src/cli/bulk-update/input-rows.ts';

const FOLDER = 'test/fixtures/sheets';

/** What each sheet says, by the language of the spreadsheet that saved it. */
const TEXTS = {
  en: ['Pair a lamp, "quickly"', 'First line\n- 1 -'],
  de: ['Größe der Lampe; "groß"', 'Erste Zeile\n– 1 –'],
  fr: ['Régler l’éclairage : « été »', 'Première ligne\n– 1 –'],
  sv: ['Koppla en lampa på hög nivå', 'Första raden\n– 1 –'],
  da: ['Tænd en lampe på første sal', 'Første linje\n– 1 –'],
  nb: ['Slå på lampen i øverste hylle', 'Første linje\n– 1 –'],
  fi: ['Liitä lamppu työpöydälle', 'Ensimmäinen rivi\n– 1 –'],
  tr: ['Lambayı eşleştirin; çok kolay', 'İlk satır\n– 1 –'],
} as const satisfies Readonly<Record<string, readonly [title: string, content: string]>>;

const NO_UNICODE = /^\S+ is neither UTF-8 nor UTF-16, .*Save it as UTF-8, in Excel as "CSV UTF-8"/u;

/**
 * The language of each file that is read, else the sentence that refuses it. Those of LibreOffice are made by it; the
 * others have the separators, encodings, words and line ends that their programs are documented to write.
 */
const SHEETS: Readonly<Record<string, keyof typeof TEXTS | RegExp>> = {
  'excel-da-utf8.csv': 'da',
  'excel-de-ansi.csv': NO_UNICODE,
  'excel-de-cleared.csv': 'de',
  'excel-de-sep.csv': 'de',
  'excel-de-unicode-text.csv': 'de',
  'excel-de-utf8.csv': 'de',
  'excel-de-workbook.csv': /^\S+ is the workbook of a spreadsheet, and no text\. Save it as "CSV UTF-8"\.$/u,
  'excel-en-macintosh.csv': 'en',
  'excel-en-utf8.csv': 'en',
  'excel-fi-utf8.csv': 'fi',
  'excel-fr-short-rows.csv': 'fr',
  'excel-fr-unicode-text.csv': 'fr',
  'excel-fr-utf8.csv': 'fr',
  'excel-nb-utf8.csv': 'nb',
  'excel-sv-utf8.csv': 'sv',
  'excel-tr-ansi.csv': NO_UNICODE,
  'excel-tr-unicode-text.csv': 'tr',
  'excel-tr-utf8.csv': 'tr',
  'google-da.csv': 'da',
  'google-de.csv': 'de',
  'google-en.csv': 'en',
  'google-fr.csv': 'fr',
  'google-nb.tsv.csv': 'nb',
  'google-sv.csv': 'sv',
  'google-tr.csv': 'tr',
  'libreoffice-da-quoted.csv': 'da',
  'libreoffice-de-semicolons.csv': 'de',
  'libreoffice-de-windows1252.csv': NO_UNICODE,
  'libreoffice-en-commas.csv': 'en',
  'libreoffice-fi-semicolons.csv': 'fi',
  'libreoffice-fr-semicolons.csv': 'fr',
  'libreoffice-nb-commas.csv': 'nb',
  'libreoffice-sv-semicolons.csv': 'sv',
  'libreoffice-tr-semicolons.csv': 'tr',
  'libreoffice-tr-utf16.csv': 'tr',
  'numbers-de.csv': 'de',
  'numbers-en.csv': 'en',
  'numbers-fi.csv': 'fi',
  'numbers-fr.csv': 'fr',
  'numbers-sv.csv': 'sv',
  'numbers-tr.csv': 'tr',
};

describe('a sheet as people save it', () => {
  it.each(Object.entries(SHEETS))('is read, or refused with what to do: %s', (name, expected) => {
    const read = readInput(join(FOLDER, name), { format: 'csv', mapping: new Map() });
    if (expected instanceof RegExp) {
      expect(read).toEqual({ ok: false, error: expect.stringMatching(expected) });
      return;
    }
    if (!read.ok) throw new Error(read.error);
    const { rows } = read.value;
    const [title, content] = TEXTS[expected];
    expect([rows.length, rows.at(0)?.update, rows.at(1)?.update]).toEqual([
      2,
      {
        articleId: 'pair-a-lamp',
        languageCode: expected,
        title,
        // Google Sheets writes no line ends into cells between tabs.
        content: name.endsWith('.tsv.csv') ? content.replace('\n', ' ') : content,
        hidden: true,
        order: 3,
        translationStatus: 'TRANSLATED',
      },
      { articleId: 'no-network', languageCode: expected, hidden: false, order: 12 },
    ]);
  });

  it('is in the table above', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(SHEETS));
  });
});
