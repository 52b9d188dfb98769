import * as limits from '../../src/core/base/limits.ts';
import { GENERATED, pageOf, table } from './markdown.ts';

/** A heading, or a constant with its comment, as src/core/base/limits.ts has them. */
const PART =
  /^\/\/ # (?<heading>.+)$|^\/\*\*\s(?<comment>(?:(?!\*\/)[\s\S])+)\*\/\nexport const (?<name>[A-Z_]+) = /gmu;

const VALUES: ReadonlyMap<string, number> = new Map(Object.entries(limits));

const rowOf = (name: string, comment: string): readonly string[] => {
  const value = VALUES.get(name);
  if (value === undefined) throw new Error(`src/core/base/limits.ts has no ${name}.`);
  return [`\`${name}\``, value.toLocaleString('en'), comment.replace(/^ \* /u, '').replaceAll(/\n \*/gu, '')];
};

/** The page on the constants that bound a request, from the comments of their file. */
export function limitsPage(source: string): string {
  const sections: { readonly heading: string; readonly rows: (readonly string[])[] }[] = [];
  for (const { groups } of source.matchAll(PART)) {
    const { heading, name = '', comment = '' } = groups ?? {};
    if (heading !== undefined) sections.push({ heading, rows: [] });
    else sections.at(-1)?.rows.push(rowOf(name, comment));
  }
  const named = new Set(sections.flatMap(({ rows }) => rows.map(([name]) => name)));
  const missing = [...VALUES.keys()].filter((name) => !named.has(`\`${name}\``));
  if (missing.length > 0) throw new Error(`src/core/base/limits.ts says nothing of ${missing.join(', ')}.`);
  return pageOf([
    '# Limits',
    GENERATED,
    'The bounds of requests, callers and connections that are constants: nobody needs to tune them, and they hold with every setting. Those that an operator chooses are [settings](settings.md); [reliability](../reliability.md) tells what a request that exceeds one gets.',
    ...sections.flatMap(({ heading, rows }) => [`## ${heading}`, table(['constant', 'value', 'bounds'], rows)]),
  ]);
}
