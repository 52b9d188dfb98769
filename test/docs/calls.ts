import { readFileSync } from 'node:fs';

/** A call that the gateway makes, by the name that the page gives it. */
interface Endpoint {
  readonly name: string;
  readonly pattern: RegExp;
}

interface Row {
  readonly document: string;
  /** The number of calls to each endpoint, by its name. */
  readonly made: Readonly<Record<string, number>>;
  readonly total: number;
  readonly least: number;
  /** Says why more calls are made than the least. */
  readonly reason: string;
}

const page = () => readFileSync('docs/reference/calls.md', 'utf8');

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const tableLines = (): readonly (readonly string[])[] =>
  page()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);

const codeOf = (cell = ''): string => /^`(?<code>[^`]+)`$/u.exec(cell)?.groups?.['code'] ?? '';

/** The endpoints that the page names, in its order, which has literal segments before parameters. */
export const endpointsOfPage = (): readonly Endpoint[] =>
  tableLines().flatMap(([name = '', call]) => {
    const template = codeOf(call);
    if (!/^(?:GET|PUT|POST|DELETE) /u.test(template)) return [];
    const pattern = template.replaceAll(/\{\w+\}/gu, '[^/?]+');
    return [{ name, pattern: new RegExp(`^${pattern}(?:\\?.*)?$`, 'iu') }];
  });

export const nameOfCall = (endpoints: readonly Endpoint[], call: string): string =>
  endpoints.find(({ pattern }) => pattern.test(call))?.name ?? call;

/** The mark after the calls of a row that could be fewer. */
const MORE_THAN_LEAST = / \(the least is (?<least>\d+): (?<reason>.+)\)$/u;

export const rowsOfPage = (): readonly Row[] =>
  tableLines().flatMap(([query, calls = '']) => {
    const document = codeOf(query);
    if (!/^(?:\{|mutation)/u.test(document)) return [];
    const made = countsOf(calls.replace(MORE_THAN_LEAST, ''));
    const total = Object.values(made).reduce((sum, count) => sum + count, 0);
    const { least = total, reason = '' } = MORE_THAN_LEAST.exec(calls)?.groups ?? {};
    return [{ document, made, total, least: Number(least), reason }];
  });

/** Reads counts such as `versions, 2 groups`: those of one call have no number. */
const countsOf = (cell: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    cell
      .split(', ')
      .filter((part) => part !== '–')
      .map((part) => {
        const { count, name = part } = /^(?<count>\d+) × (?<name>.+)$/u.exec(part)?.groups ?? {};
        return [name, Number(count ?? 1)];
      }),
  );
