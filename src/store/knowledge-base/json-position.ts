/**
 * The line of a value in a valid JSON text, from 1, by the keys that lead to it. For a missing member, it is the line
 * of the innermost value on the way.
 */
export function lineOf(text: string, keys: readonly PropertyKey[]): number {
  const position = positionOf(text, keys.map(String));
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

interface Container {
  readonly isList: boolean;
  key: string;
  isKeyNext: boolean;
}

function positionOf(text: string, keys: readonly string[]): number {
  let matched = 0;
  let found = 0;
  for (const { kind, level, key, index } of eventsOf(text)) {
    // The value that should contain the wanted one has ended without it.
    if (kind === 'end' && matched === level) return found;
    if (kind === 'end' || level === 0 || level !== matched + 1 || key !== keys[matched]) continue;
    matched += 1;
    found = index;
    if (matched === keys.length) return found;
  }
  return found;
}

/** The beginning of a value, or the end of an object or a list, with its depth. */
interface JsonEvent {
  readonly kind: 'value' | 'end';
  readonly level: number;
  readonly key: string | undefined;
  readonly index: number;
}

function* eventsOf(text: string): Generator<JsonEvent> {
  const open: Container[] = [];
  const token = /[[\]{},"]|[^\s[\]{}:,"]+/gu;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [start] = match;
    const { index } = match;
    const container = open.at(-1);
    if (start === '"') token.lastIndex = endOfString(text, index);
    if (start === ',') nextKey(container);
    else if (start === ']' || start === '}') {
      open.pop();
      yield { kind: 'end', level: open.length, key: undefined, index };
    } else if (container?.isKeyNext) {
      container.key = String(JSON.parse(text.slice(index, token.lastIndex)));
      container.isKeyNext = false;
    } else {
      yield { kind: 'value', level: open.length, key: container?.key, index };
      if (start === '[' || start === '{') open.push({ isList: start === '[', key: '0', isKeyNext: start === '{' });
    }
  }
}

function nextKey(container: Container | undefined): void {
  if (container?.isList) container.key = String(Number(container.key) + 1);
  else if (container !== undefined) container.isKeyNext = true;
}

/** The position after a string. The quote at its end has an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
