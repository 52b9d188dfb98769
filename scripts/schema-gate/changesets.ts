import { parse } from 'yaml';
import { BUMPS, type Bump, type SchemaChange } from './schema-change.ts';

/** A file of `.changeset`, which goes into the changelog at the next release. */
export interface Changeset {
  readonly file: string;
  /** Null where the changeset is not about this package. */
  readonly bump: Bump | null;
  readonly text: string;
}

const CHANGESET = /^---\r?\n(?<head>.*?)^---\r?\n(?<text>.*)$/msu;

export function parseChangeset(file: string, content: string, packageName: string): Changeset {
  const { head = '', text = '' } = CHANGESET.exec(content)?.groups ?? {};
  const bumps: Readonly<Record<string, unknown>> = parse(head) ?? {};
  return { file, bump: BUMPS.find((bump) => bump === bumps[packageName]) ?? null, text };
}

/** Why a change may not be released with these changesets; null where it may. */
export function problemOf(change: SchemaChange, changesets: readonly Changeset[]): string | null {
  if (change.forbidden !== null) return change.forbidden;
  const mentioning = changesets.filter(({ text }) => isMentioned(change, text));
  const [first] = mentioning;
  if (first === undefined) return `no changeset mentions ${change.coordinates.map(quoted).join(' and ')}`;
  const isLargeEnough = ({ bump }: Changeset) => bump !== null && BUMPS.indexOf(bump) >= BUMPS.indexOf(change.bump);
  return mentioning.some(isLargeEnough) ? null : `${first.file} must be ${change.bump}`;
}

/** A description may also be mentioned by its type alone. */
const isMentioned = ({ coordinates, bump }: SchemaChange, text: string): boolean =>
  coordinates.every((coordinate) => {
    const names = bump === 'patch' ? [coordinate, coordinate.replace(/[.(].*$/u, '')] : [coordinate];
    return names.some((name) => text.includes(quoted(name)));
  });

const quoted = (coordinate: string): string => `\`${coordinate}\``;
