import { parse as parseToml, TomlError } from 'smol-toml';
import { isAlias, isMap, isScalar, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { isObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { shorten } from '../../core/base/text.ts';

export interface FrontMatterField {
  /** A member of a member is `sidebar.order`. */
  readonly name: string;
  /** The text as it is in the file, since YAML would make a date of a title; undefined for null and for lists. */
  readonly value: string | undefined;
  readonly line: number;
  /** What is wrong with it, as the rest of a sentence; null where it is well. */
  readonly problem: string | null;
}

interface MarkdownParts {
  readonly fields: readonly FrontMatterField[];
  readonly body: string;
  /** The line on which the body begins, from 1. */
  readonly bodyLine: number;
}

/** Front matter of YAML, TOML or JSON, of which lines may be blank before it. */
const FRONT_MATTER =
  /^\s*(?:---[ \t]*\n(?<yaml>(?:.*\n)*?)(?:---|\.\.\.)|\+\+\+[ \t]*\n(?<toml>(?:.*\n)*?)\+\+\+|(?<json>\{\n(?:.*\n)*?\}))[ \t]*(?:\n|$)/u;

/** The beginning of front matter: a rule alone has no field in the next line. */
const UNENDED = /^\s*(?:---[ \t]*\n[\w-]+:|\+\+\+[ \t]*\n[\w-]+[ \t]*=)[ \t]/u;

/** Splits a file into front matter and body. All ends of lines become LF. The error is the rest of a sentence. */
export function splitFrontMatter(file: string): Result<MarkdownParts, string> {
  const text = file.replace(/^\uFEFF/u, '').replaceAll(/\r\n?/gu, '\n');
  const found = FRONT_MATTER.exec(text);
  const { yaml, toml, json } = found?.groups ?? {};
  const source = yaml ?? toml ?? json;
  if (found === null && UNENDED.test(text)) return err('has front matter without an end');
  if (found === null || source === undefined) return ok({ fields: [], body: text, bodyLine: 1 });
  const firstLine = lineAt(text, text.indexOf(source, found[0].search(/\S/u)));
  const fields = toml === undefined ? readYamlFields(source, firstLine) : parseTomlFields(source, firstLine);
  // Two thematic breaks are no front matter.
  if (!fields.ok && fields.error === NO_MEMBERS && json === undefined)
    return ok({ fields: [], body: text, bodyLine: 1 });
  if (!fields.ok) return fields;
  return ok({ fields: fields.value, body: text.slice(found[0].length), bodyLine: lineAt(text, found[0].length) });
}

/** The line of a position, from 1 on. */
function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** UTF-16 units of front matter. YAML of this length is parsed in seconds, whatever it has. */
const MAX_FRONT_MATTER = 524_288;

/** The problems that are looked at. Later ones mostly follow from the first. */
const MAX_PROBLEMS = 100;

const TOO_LONG = `has front matter of more than ${MAX_FRONT_MATTER} characters`;
const NO_QUOTATION_MARKS = 'must have its value in quotation marks';
const NO_MEMBERS = 'has front matter without names';

/** Parses YAML whose first line is that line of its file. Aliases are not followed, so a text stays as small as it is. */
export function readYamlFields(text: string, firstLine: number): Result<readonly FrontMatterField[], string> {
  if (text.length > MAX_FRONT_MATTER) return err(TOO_LONG);
  const { contents, errors, lineOf } = parseLeniently(text);
  if (errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return err('nests lists and members too deep');
  if (contents === null && errors.length === 0) return ok([]);
  if (!isMap(contents)) return err(NO_MEMBERS);
  const members = membersIn(text);
  const problems = new Map(
    errors.slice(0, MAX_PROBLEMS).map((error) => [memberAt(members, error.pos[0]), messageOf(error)]),
  );
  const byName = Map.groupBy(contents.items, ({ key }) => (isScalar(key) ? String(key.value) : null));
  return ok(
    contents.items.flatMap(({ key, value }): readonly FrontMatterField[] => {
      if (!isScalar(key)) return [];
      const name = String(key.value);
      const isAlone = byName.get(name)?.length === 1;
      const problem = problems.get(name) ?? (isAlone ? signProblem(value) : 'is there twice');
      const field = { name, value: textOf(value), line: firstLine - 1 + lineOf(key.range?.[0] ?? 0), problem };
      if (problem !== null || !isMap(value)) return [field];
      return value.items.map((item) => ({ ...field, name: `${name}.${item.key}`, value: textOf(item.value) }));
    }),
  );
}

/** The most lines that are indented to read a list as most generators do: it may go on at the first column. */
const MAX_INDENTED = 50;

/** The UTF-16 units that are parsed for it, since each of these lines has the text parsed again. */
const MAX_PARSED_AGAIN = 60_000;

function parseLeniently(given: string) {
  const options = { schema: 'failsafe', prettyErrors: false, logLevel: 'silent', uniqueKeys: false } as const;
  let text = given;
  for (let indented = 0; ; indented += 1) {
    const lines = new LineCounter();
    const { contents, errors } = parseDocument(text, { ...options, lineCounter: lines });
    const list = errors.find(({ code, message }) => code === 'BAD_INDENT' && message.startsWith('Flow'));
    if (list === undefined || indented === MAX_INDENTED || indented * text.length > MAX_PARSED_AGAIN)
      return { contents, errors, lineOf: (position: number) => lines.linePos(position).line };
    const start = text.lastIndexOf('\n', Math.max(0, list.pos[0] - 1)) + 1;
    text = `${text.slice(0, start)} ${text.slice(start)}`;
  }
}

interface MemberStart {
  readonly name: string;
  readonly position: number;
}

/** The members at the first column. */
const membersIn = (text: string): readonly MemberStart[] =>
  Array.from(text.matchAll(/^["']?(?<name>[^\s"':#-][^"':\n]{0,200})["']?[ \t]{0,10}:/gmu), ({ index, groups }) => ({
    name: groups?.['name']?.trim() ?? '',
    position: index,
  }));

const memberAt = (members: readonly MemberStart[], at: number): string =>
  members.findLast(({ position }) => position <= at)?.name ?? '';

/** The most characters of a message of a parser, which may quote the text. */
const MAX_MESSAGE = 200;

const messageOf = ({ code, message }: YAMLError): string =>
  /^Nested mappings|^Implicit (?:keys|map keys)|^Plain value cannot start/u.test(message) || code === 'BAD_SCALAR_START'
    ? NO_QUOTATION_MARKS
    : `is no YAML: ${shorten(message, MAX_MESSAGE)}`;

/** What is wrong with a value that YAML takes for an alias or a tag, such as `*Important*`: its text would be lost. */
const signProblem = (node: unknown): string | null =>
  isAlias(node) || (isScalar(node) && /^!./u.test(node.tag ?? '')) ? NO_QUOTATION_MARKS : null;

/** The text of a node; undefined for null and for anything but a single value. */
function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || typeof node.value !== 'string') return undefined;
  return node.type === 'PLAIN' && /^(?:|~|null)$/iu.test(node.value) ? undefined : node.value.trim();
}

function parseTomlFields(text: string, firstLine: number): Result<readonly FrontMatterField[], string> {
  if (text.length > MAX_FRONT_MATTER) return err(TOO_LONG);
  try {
    return ok(
      Object.entries(parseToml(text)).flatMap(([name, value]) => {
        const field = (own: string, of: unknown) => ({
          name: own,
          value: tomlText(of),
          line: firstLine,
          problem: null,
        });
        if (!isObject(value) || value instanceof Date) return [field(name, value)];
        return Object.entries(value).map(([member, of]) => field(`${name}.${member}`, of));
      }),
    );
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ''] = error.message.split('\n');
    return err(`is no TOML in line ${firstLine - 1 + error.line}: ${shorten(message, MAX_MESSAGE)}`);
  }
}

const tomlText = (value: unknown): string | undefined => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? undefined : String(value).trim();
};
