import { isMap, isScalar, parseDocument, type YAMLParseError } from 'yaml';
import { err, ok, type Result } from '../../core/base/result.ts';
import { shorten } from '../../core/base/text.ts';

/** A member of front matter or of a file of YAML. */
export interface Field {
  readonly name: string;
  /** The text as it is in the file, since YAML would make a date of a title; an object for anything but a single value. */
  readonly value: unknown;
  readonly line: number;
}

/** A Markdown file in its parts. */
interface MarkdownParts {
  readonly frontMatter: string;
  /** The heading at the beginning of the text, and its line; null where there is none. */
  readonly heading: { readonly value: string; readonly line: number } | null;
  /** The text without front matter and heading. */
  readonly content: string;
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/u;
const CLOSING = /(?<=\n)---[ \t]*\r?(?:\n|$)/gu;
const HEADING = /^\s*# +(?<text>.+)/u;

/** Splits a file as the recipe docs/recipes/publish-from-ci.md does. */
export function splitMarkdown(text: string): MarkdownParts {
  const file = withoutReturns(text.replace(/^\uFEFF/u, ''));
  const { yaml, rest: body } = frontMatterOf(file);
  const heading = HEADING.exec(body);
  const titled = file.length - body.length + (heading?.[0].trimEnd().length ?? 0);
  return {
    frontMatter: yaml,
    heading: heading && { value: heading.groups?.['text']?.trim() ?? '', line: lineAt(file, titled) },
    content: joined(`${body.slice(heading?.[0].length).trim()}\n`),
  };
}

/** Looks at a character: V8 then gives a text of parts memory of its own, and no longer keeps the file that a part is from. */
const joined = (text: string): string => (text.at(-1) === undefined ? '' : text);

const RETURN = 0x0d;

/** Replacing by an expression would take an object for each line. */
function withoutReturns(text: string): string {
  if (!text.includes('\r')) return text;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === undefined || byte === RETURN) continue;
    bytes[length] = byte;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}

/** The line that opens front matter, what it says, and what comes after the line that closes it. A text without any is the rest. */
function frontMatterOf(text: string): Readonly<Record<'open' | 'yaml' | 'rest', string>> {
  const [open] = OPENING.exec(text) ?? [];
  const closing = new RegExp(CLOSING);
  closing.lastIndex = open?.length ?? text.length;
  const close = closing.exec(text);
  if (open === undefined || close === null) return { open: '', yaml: '', rest: text };
  return { open, yaml: text.slice(open.length, close.index), rest: text.slice(close.index + close[0].length) };
}

const EMPTY_ID = /^articleId[ \t]*:(?:[ \t]*(?:~|null))?(?=[ \t]*(?:#.*)?\r?$)/mu;

/** The file with an ID in its front matter, and every other byte as it is. Null where its front matter can't take one. */
export function withArticleId(text: string, articleId: string): string | null {
  const lineEnd = /\r?\n/u.exec(text)?.[0] ?? '\n';
  const isPlain = /^[\w-]+$/u.test(articleId) && !/^null$/iu.test(articleId);
  const line = `articleId: ${isPlain ? articleId : JSON.stringify(articleId)}`;
  const { open, yaml } = frontMatterOf(text);
  const rest = text.slice(open.length + yaml.length);
  const changed = EMPTY_ID.test(yaml) ? yaml.replace(EMPTY_ID, () => line) : `${line}${lineEnd}${yaml}`;
  const file =
    open === ''
      ? text.replace(/^\uFEFF?/u, (mark) => `${mark}---${lineEnd}${line}${lineEnd}---${lineEnd}`)
      : `${open}${changed}${rest}`;
  return isOnlyGiven(articleId, { before: splitMarkdown(text), after: splitMarkdown(file) }) ? file : null;
}

/** Characters after front matter, of which its last line and the beginning of the text are. */
const AFTER_FRONT_MATTER = 1_000;

/** True where a file can take an ID, which its front matter alone decides. */
export function takesArticleId(text: string): boolean {
  const { open, yaml } = frontMatterOf(text);
  return withArticleId(text.slice(0, open.length + yaml.length + AFTER_FRONT_MATTER), 'any') !== null;
}

/** True where the file has the same content and fields as before, apart from the ID. */
function isOnlyGiven(articleId: string, { before, after }: Record<'before' | 'after', MarkdownParts>): boolean {
  const [old, fields] = [before, after].map(({ frontMatter }) => parseYamlFields(frontMatter, 1));
  if (!old?.ok || !fields?.ok || before.content !== after.content) return false;
  const sortedFields = (list: readonly Field[]) =>
    list.map(({ name, value }) => JSON.stringify([name, value])).toSorted();
  const wanted = [
    ...old.value.filter(({ name }) => name !== 'articleId'),
    { name: 'articleId', value: articleId, line: 1 },
  ];
  return (
    sortedFields(fields.value).join() === sortedFields(wanted).join() && before.heading?.value === after.heading?.value
  );
}

/** The line of a position, from 1 on. */
function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** UTF-16 units of front matter. YAML of this length is parsed in less than a second, whatever it has. */
const MAX_YAML = 16_384;

interface YamlProblem {
  readonly message: string;
  readonly line: number;
}

/** Parses YAML whose first line is that line of its file. Aliases are not followed, so a text stays as small as it is. */
export function parseYamlFields(text: string, firstLine: number): Result<readonly Field[], YamlProblem> {
  if (text.length > MAX_YAML) return err({ message: `has more than ${MAX_YAML} characters of YAML`, line: firstLine });
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, logLevel: 'silent' });
  const lineOf = (position = 0) => firstLine - 1 + lineAt(text, position);
  const [problem] = document.errors;
  if (problem) return err({ message: `YAML: ${messageOf(problem)}`, line: lineOf(problem.pos[0]) });
  const { contents } = document;
  if (contents === null) return ok([]);
  if (!isMap(contents)) return err({ message: 'YAML: must have members with names', line: firstLine });
  return ok(
    contents.items.flatMap(({ key, value }): readonly Field[] => {
      if (!isScalar(key)) return [];
      return [{ name: String(key.value), value: textOf(value), line: lineOf(key.range?.[0]) }];
    }),
  );
}

/** The most characters of a message of the parser, which may quote the text. */
const MAX_MESSAGE = 200;

/** The message of a problem. The parser is recursive, and the deepest YAML exhausts its stack. */
function messageOf({ code, message }: YAMLParseError): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'nests lists and members too deep';
  return shorten(message, MAX_MESSAGE);
}

/** The text of a node; undefined for null. */
function textOf(node: unknown): unknown {
  if (!isScalar(node) || typeof node.value !== 'string') return {};
  return node.type === 'PLAIN' && /^(?:|~|null)$/iu.test(node.value) ? undefined : node.value.trim();
}
