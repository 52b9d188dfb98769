const NUMBERED = /^(?<number>\d{1,3})\s*[-_.]+\s*(?<rest>[^-_.\s\d].*)$/u;

/** The number before a name, which is its order. */
export const numberOf = (name: string): number => Number(NUMBERED.exec(name)?.groups?.['number'] ?? 0);

export const withoutNumber = (name: string): string => NUMBERED.exec(name)?.groups?.['rest'] ?? name;

/** The folder and the folders above it, from the top on. */
export const parentsOf = (folder: string): readonly string[] =>
  folder === '' ? [] : folder.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));

/**
 * The paths of files and folders whose number is an order: all their neighbours have one, which begin at 0 or 1 or have
 * zeros in front, and the names differ without them.
 */
export function numberedNames(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths.flatMap(parentsOf));
  const children = Map.groupBy(all, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return new Set([...children.values()].filter(areNumbered).flat());
}

function areNumbered(paths: readonly string[]): boolean {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const found = names
    .filter((name) => !/^(?:_?index|readme)\./iu.test(name))
    .map((name) => NUMBERED.exec(name)?.groups);
  const rests = new Set(found.map((groups) => groups?.['rest'] ?? ''));
  if (found.length === 0 || rests.has('') || rests.size < found.length) return false;
  const numbers = found.map((groups) => groups?.['number'] ?? '');
  if (numbers.some((number) => number.startsWith('0'))) return true;
  return found.length > 1 && Math.min(...numbers.map(Number)) <= 1;
}

/** Converts `pair-a-lamp` to `Pair a lamp`. */
export const titleFrom = (stem: string): string =>
  stem
    .normalize()
    .replaceAll(/[-_]+/gu, ' ')
    .trim()
    .replace(/^./u, (first) => first.toUpperCase());
