import { posix } from 'node:path';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS, type SettingName } from '../../src/server/config/settings.ts';
import { GENERATED, pageOf } from './markdown.ts';

/** A row of the table of meanings, on one or several settings. */
interface Row {
  readonly names: readonly string[];
  readonly fallback: string;
  readonly meaning: string;
}

const ROW = /^\| (?<names>`[A-Z_*]+`(?:(?:, | or )`[A-Z_]+`)*) \| (?<fallback>[^|]*) \| (?<meaning>.*) \|$/gmu;

const rowsOf = (table: string): readonly Row[] =>
  [...table.matchAll(ROW)].map(({ groups }) => ({
    names: [...(groups?.['names'] ?? '').matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
    fallback: groups?.['fallback'] ?? '',
    meaning: withLinksFromReference(sentence(groups?.['meaning'] ?? '')),
  }));

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Links of the table are relative to the root of the repository. */
const withLinksFromReference = (text: string): string =>
  text.replaceAll(/\]\((?!https?:|#)([^)#]+)/gu, (_, path: string) => `](${posix.relative('docs/reference', path)}`);

/** Null where the table has no default. */
function defaultOf(name: SettingName): string | null {
  const { fallback } = SETTINGS[name];
  const isNothing = fallback === undefined || (Array.isArray(fallback) && fallback.length === 0);
  return isNothing ? null : `\`${String(fallback)}\``;
}

/** What the table says of a default that the code lacks, or of what it depends on. */
const writtenDefault = ({ names, fallback }: Row, name: string): string => {
  const parts = fallback.split(', ');
  return (names.length === parts.length ? parts[names.indexOf(name)] : undefined) ?? fallback;
};

function settingParts(row: Row, name: SettingName): readonly string[] {
  const { type, option, secret } = SETTINGS[name];
  const fallback = writtenDefault(row, name).includes(';') ? null : defaultOf(name);
  const others = row.names.filter((other) => other !== name).map((other) => `\`${other}\``);
  const facts = [
    `- Default: ${fallback ?? writtenDefault(row, name).replace('–', 'not set')}`,
    ...(type.allowed === '' ? [] : [`- Allowed: ${type.allowed}`]),
    ...(secret === undefined ? [] : [`- From a file: \`${name}_FILE\``]),
    ...(option === null ? [] : [`- Option of \`createGateway\`: \`${option}\``]),
    ...(others.length === 0 ? [] : [`- Goes with: ${others.join(', ')}`]),
  ];
  return [`## ${name}`, facts.join('\n'), `${row.meaning}.`];
}

const isTelemetry = (name: string): boolean => name in SETTING_GROUPS.TELEMETRY;

const telemetryParts = (row: Row): readonly string[] => [
  '## OTEL_*',
  `${row.meaning}. The gateway checks these:`,
  SETTING_NAMES.filter(isTelemetry)
    .map((name) => `- \`${name}\`: ${SETTINGS[name].type.allowed}. Default: ${defaultOf(name) ?? 'not set'}.`)
    .join('\n'),
];

/** The page on all settings: names, defaults and bounds are those of src/server/config, and the meanings those of scripts/reference/settings.md. */
export function settingsPage(table: string): string {
  const rows = rowsOf(table);
  const described = new Set(rows.flatMap(({ names }) => names));
  const missing = SETTING_NAMES.filter((name) => !isTelemetry(name) && !described.has(name));
  if (missing.length > 0) throw new Error(`The table of meanings lacks ${missing.join(', ')}.`);
  const parts = rows.flatMap((row) =>
    row.names.flatMap((name) => {
      if (name === 'OTEL_*') return telemetryParts(row);
      const setting = SETTING_NAMES.find((other) => other === name);
      if (setting === undefined) throw new Error(`The table tells of ${name}, which is no setting.`);
      return settingParts(row, setting);
    }),
  );
  return pageOf([
    '# Settings',
    GENERATED,
    'All settings come from the environment. `npm start` also reads the file `.env`. An invalid one stops the start with a message that lists every problem, and one that is misspelt is warned of. `npm start -- --config-check` prints what would be used.',
    'A secret may come from a file that the setting with `_FILE` at its end names, as in `API_TOKEN_FILE=PATH`. A gateway [in a server of your own](../package.md) has options instead. Bounds that nobody tunes are [constants](limits.md).',
    ...parts,
  ]);
}
