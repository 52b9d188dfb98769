import type { SeededRandom } from '../../simulation/world/random.ts';

/**
 * What the papers of the service leave open: see docs/service.md, "Readings". The first reading of each is that of the
 * embedded store, or the plainest one.
 */
export const READINGS = {
  /** An update of the texts of a published version. */
  published: ['edits in place', 'refuses', 'makes a version'],
  /** `hidden` and `order` in an update that leaves them out. */
  omitted: ['kept', 'reset'],
  /** `language_code` in lists and trees. */
  listLanguages: ['requested', 'default', 'null'],
  /** Articles without a text in the language of a list. */
  untranslated: ['absent', 'stand-ins'],
  /** An update in a language without a text. */
  newLanguage: ['refuses', 'makes a translation'],
  /** How long reads show what was there before a write. */
  lag: ['none', '3 seconds'],
  /** Texts, as reads show them. */
  texts: ['as sent', 'trimmed', 'HTML rewritten'],
  readers: ['list', 'bare object'],
  /** The answer to a bulk update with a failing item; the others are applied in each. */
  failingItem: ['200', '200 without success', '400 without items'],
  /** `data` after `bulkpublish`: a list by the example of the API file, one object by its schema. */
  published200: ['list', 'one object'],
  /** The IDs in the answers to writes. */
  ids: ['as stored', 'in upper case'],
} as const;

export type Readings = { readonly [Name in keyof typeof READINGS]: (typeof READINGS)[Name][number] };

/** The first reading of everything. */
export const PLAIN = {
  published: 'edits in place',
  omitted: 'kept',
  listLanguages: 'requested',
  untranslated: 'absent',
  newLanguage: 'refuses',
  lag: 'none',
  texts: 'as sent',
  readers: 'list',
  failingItem: '200',
  published200: 'list',
  ids: 'as stored',
} as const satisfies Readings;

/** One reading that differs from the plain ones. */
export interface SingleReading {
  readonly name: string;
  readonly readings: Readings;
}

/** Every reading alone, after the plain ones. */
export const singleReadings = (): readonly SingleReading[] => [
  { name: 'plain readings', readings: PLAIN },
  ...Object.entries(READINGS).flatMap(([question, [, ...others]]) =>
    others.map((reading) => ({ name: `${question}: ${reading}`, readings: { ...PLAIN, [question]: reading } })),
  ),
];

/** One reading of each question by chance. */
export const randomReadings = (random: SeededRandom): Readings => ({
  published: random.pick(READINGS.published),
  omitted: random.pick(READINGS.omitted),
  listLanguages: random.pick(READINGS.listLanguages),
  untranslated: random.pick(READINGS.untranslated),
  newLanguage: random.pick(READINGS.newLanguage),
  lag: random.pick(READINGS.lag),
  texts: random.pick(READINGS.texts),
  readers: random.pick(READINGS.readers),
  failingItem: random.pick(READINGS.failingItem),
  published200: random.pick(READINGS.published200),
  ids: random.pick(READINGS.ids),
});
