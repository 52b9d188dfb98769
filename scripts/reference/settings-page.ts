import { posix } from 'node:path';
import { describeSettings, readConfig } from '../../src/config.ts';
import { GENERATED, pageOf } from './markdown.ts';

/** A row of the README's table, on one or several settings. */
interface Row {
  readonly names: readonly string[];
  readonly fallback: string;
  readonly meaning: string;
}

/** With these settings, the code knows those of either backend. */
const ENVIRONMENTS: readonly Readonly<Record<string, string>>[] = [{}, { UPSTREAM_URL: 'https://kb.example' }];

/** The code names the allowed values where a setting has another; this is none for all but texts. */
const WRONG = '?';

const ROW = /^\| (?<names>`[A-Z_*]+`(?:(?:, | or )`[A-Z_]+`)*) \| (?<fallback>[^|]*) \| (?<meaning>.*) \|$/gmu;

const rowsOf = (readme: string): readonly Row[] =>
  [...readme.matchAll(ROW)].map(({ groups }) => ({
    names: [...(groups?.['names'] ?? '').matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
    fallback: groups?.['fallback'] ?? '',
    meaning: withLinksFromReference(sentence(groups?.['meaning'] ?? '')),
  }));

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Links of the README are relative to the root of the repository. */
const withLinksFromReference = (text: string): string =>
  text.replaceAll(/\]\((?!https?:|#)([^)#]+)/gu, (_, path: string) => `](${posix.relative('docs/reference', path)}`);

/** The default of every setting that has one, as `--config-check` prints it. */
function defaults(): ReadonlyMap<string, string> {
  const lines = ENVIRONMENTS.flatMap((environment) => {
    const described = describeSettings(environment);
    if (!described.ok) throw new Error(described.error);
    return described.value;
  });
  const isGiven = (name = '') => ENVIRONMENTS.some((environment) => name in environment);
  return new Map(
    lines.map((line): readonly [string, string] => {
      const { name = '', value = '' } = /^(?<name>\w+)(?:=(?<value>.*)| is not set)$/su.exec(line)?.groups ?? {};
      return [name, isGiven(name) ? '' : value];
    }),
  );
}

/** The allowed values, as the code names them when the setting has a wrong one; empty where any text is allowed. */
function allowedValues(name: string): string {
  for (const environment of ENVIRONMENTS) {
    const config = readConfig({ ...environment, [name]: WRONG });
    const { allowed } =
      (config.ok ? null : new RegExp(`^ *${name} is .*; allowed: (?<allowed>.*)$`, 'mu').exec(config.error))?.groups ??
      {};
    if (allowed !== undefined) return allowed;
  }
  return '';
}

const defaultOf = (row: Row, name: string, fromCode: string): string => {
  const written = row.names.length === row.fallback.split(', ').length ? row.fallback.split(', ') : [row.fallback];
  const inReadme = written[row.names.indexOf(name)] ?? row.fallback;
  return fromCode === '' || inReadme.includes(';') ? inReadme : `\`${fromCode}\``;
};

function settingParts(row: Row, name: string, fromCode: string): readonly string[] {
  const allowed = allowedValues(name);
  const others = row.names.filter((other) => other !== name).map((other) => `\`${other}\``);
  const facts = [
    `- Default: ${defaultOf(row, name, fromCode).replace('–', 'not set')}`,
    ...(allowed === '' ? [] : [`- Allowed: ${allowed}`]),
    ...(others.length === 0 ? [] : [`- Goes with: ${others.join(', ')}`]),
  ];
  return [`## ${name}`, facts.join('\n'), `${row.meaning}.`];
}

const telemetryParts = (row: Row, settings: ReadonlyMap<string, string>): readonly string[] => [
  '## OTEL_*',
  `${row.meaning}. The gateway checks these:`,
  [...settings]
    .filter(([name]) => name.startsWith('OTEL_'))
    .map(
      ([name, value]) =>
        `- \`${name}\`: ${allowedValues(name)}. Default: ${value === '' ? 'not set' : `\`${value}\``}.`,
    )
    .join('\n'),
];

/** The page on all settings: names, defaults and bounds are those of src/config, and the meanings those of the README. */
export function settingsPage(readme: string): string {
  const settings = defaults();
  const rows = rowsOf(readme);
  const described = new Set(rows.flatMap(({ names }) => names));
  const missing = [...settings.keys()].filter((name) => !name.startsWith('OTEL_') && !described.has(name));
  if (missing.length > 0) throw new Error(`The table of the README lacks ${missing.join(', ')}.`);
  const parts = rows.flatMap((row) =>
    row.names.flatMap((name) =>
      name === 'OTEL_*' ? telemetryParts(row, settings) : settingParts(row, name, settings.get(name) ?? ''),
    ),
  );
  return pageOf([
    '# Settings',
    GENERATED,
    'All settings come from the environment. `npm start` also reads the file `.env`. An invalid one stops the start with a message that lists every problem, and one that is misspelt is warned of. `npm start -- --config-check` prints what would be used.',
    'A secret may come from a file that the setting with `_FILE` at its end names, as in `API_TOKEN_FILE=PATH`.',
    ...parts,
  ]);
}
