import { Lexer, type Token, type TokensList } from 'marked';
import { err, ok, type Result } from '../../core/base/result.ts';
import { withoutEntities } from '../../core/base/text.ts';

/** A link or an image of a text that readers could not follow or see, since it is of the folder. */
export interface FolderLink {
  readonly kind: 'image' | 'link' | 'anchor';
  readonly target: string;
  readonly line: number;
}

interface MarkdownText {
  /** The plain text of the heading that titles the text; null where there is none. */
  readonly heading: string | null;
  /** The text without that heading, or with it where it is not the title. */
  readonly content: string;
  readonly links: readonly FolderLink[];
  /** True where a text of MDX has components or expressions, which readers would see as they are. */
  readonly hasCode: boolean;
}

interface MarkdownSource {
  readonly body: string;
  /** The title that the front matter has. A first heading of another text then stays. */
  readonly title: string | undefined;
  readonly isMdx: boolean;
}

/** Reads the text of a file. The error is the rest of a sentence: the parser calls itself for each level of quotes and lists. */
export function readMarkdownText(source: MarkdownSource): Result<MarkdownText, string> {
  try {
    return ok(parseMarkdown(source));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return err('nests quotes or lists too deep');
  }
}

function parseMarkdown({ body, title, isMdx }: MarkdownSource): MarkdownText {
  const [parsed, rest] = splitLong(body);
  const tokens = new Lexer().lex(parsed);
  const first = titleToken(tokens, isMdx);
  const heading = first === null ? null : headingText(innerTokens(tokens[first]));
  const isTaken = heading !== null && heading !== '' && (title === undefined || sameText(title, heading));
  const raws = tokens.map(({ raw }) => raw);
  const content = isTaken ? raws.toSpliced(first ?? 0, 1).join('') : raws.join('');
  return {
    heading: heading === '' ? null : heading,
    content: trimLines(content + rest),
    links: linksOf(tokens),
    hasCode: isMdx && tokens.some((token) => isCode(token)),
  };
}

/** UTF-16 units that are parsed of a longer text. For some texts, the parser takes their square in time. */
const MAX_PARSED = 524_288;
const PARSED_OF_LONGER = 65_536;

/** A very long text in its beginning, which is parsed for the title and for links, and the rest. */
function splitLong(body: string): readonly [parsed: string, rest: string] {
  const end = body.length > MAX_PARSED ? body.lastIndexOf('\n', PARSED_OF_LONGER) + 1 : body.length;
  return [body.slice(0, end), body.slice(end)];
}

const trimLines = (text: string): string => `${text.replace(/^(?:[ \t]*\n)+/u, '').trimEnd()}\n`;

const sameText = (one: string, other: string): boolean => words(one) === words(other);
const words = (text: string): string => text.normalize().replaceAll(/\s+/gu, ' ').trim().toLowerCase();

/**
 * The index of the heading that titles a text: the first one, if it is of the first level or nothing but comments,
 * images and code of MDX comes before it. A heading without a text titles nothing, nor does one after a text and a rule.
 */
function titleToken(tokens: TokensList, isMdx: boolean): number | null {
  let isBegun = false;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading' && headingText(innerTokens(token)) !== '')
      return isBegun && token['depth'] > 1 ? null : index;
    if (isBegun && token.type === 'hr') return null;
    isBegun ||= !(
      ['space', 'html', 'def', 'heading'].includes(token.type) ||
      (isMdx && isCode(token)) ||
      isPicture(token)
    );
  }
  return null;
}

const isCode = ({ type, raw }: Token): boolean =>
  (type === 'paragraph' && /^(?:import|export)\s|^\{/u.test(raw)) || (type === 'html' && /^<\/?[A-Z]/u.test(raw));

/** True for a paragraph of images, such as badges. */
const isPicture = (token: Token): boolean =>
  token.type === 'paragraph' &&
  innerTokens(token).every(({ type, raw }) => /^(?:image|link|html|br)$/u.test(type) || raw.trim() === '');

const innerTokens = (token: Token | undefined): readonly Token[] =>
  token !== undefined && 'tokens' in token ? (token.tokens ?? []) : [];

/** The heading as a reader sees it. */
const headingText = (tokens: readonly Token[]): string =>
  plainText(tokens)
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/ ?\{[#.:][^{}]*\}$/u, '')
    .trim();

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'html' || token.type === 'image') return '';
      if (token.type === 'br') return ' ';
      if (token.type === 'codespan') return token['text'];
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? withoutEntities(token.text) : '';
    })
    .join('');
}

/** The links to files of the folder, to its images, and to headings that the text has not. */
function linksOf(tokens: TokensList): readonly FolderLink[] {
  const parts = [...partsIn(tokens, 1)];
  const anchors = new Set(parts.flatMap(({ token }) => anchorsOf(token)));
  const links = parts.flatMap(({ token, line }) => targetsOf(token).map((target) => ({ ...target, line })));
  return links.filter(({ kind, target }) => kind !== 'anchor' || !anchors.has(decodedAnchor(target)));
}

const linesIn = (text: string): number => text.split('\n').length - 1;

function decodedAnchor(target: string): string {
  try {
    return decodeURIComponent(target.slice(1)).toLowerCase();
  } catch {
    return target;
  }
}

interface Part {
  readonly token: Token;
  readonly line: number;
}

/** The token and those in it, with their lines, which are those of the text before them. */
function* partsOf(token: Token, line: number): Generator<Part> {
  yield { token, line };
  if (token.type === 'table') {
    const rows = [token['header'], ...token['rows']];
    for (const [index, cells] of rows.entries())
      for (const cell of cells) yield* partsIn(cell.tokens, line + (index === 0 ? 0 : index + 1));
  } else if (token.type === 'list') yield* partsIn(token['items'], line);
  else yield* partsIn(innerTokens(token), line);
}

function* partsIn(tokens: readonly Token[], first: number): Generator<Part> {
  let line = first;
  for (const token of tokens) {
    yield* partsOf(token, line);
    line += linesIn(token.raw);
  }
}

function anchorsOf(token: Token): readonly string[] {
  if (token.type === 'html')
    return Array.from(token.raw.matchAll(/\b(?:id|name)=["']?([\w.-]+)/gu), ([, id = '']) => id.toLowerCase());
  if (token.type !== 'heading') return [];
  const [, own = ''] = /\{#([^{}\s]+)[^{}]*\}$/u.exec(token.raw.trim()) ?? [];
  return [
    own.toLowerCase(),
    headingText(innerTokens(token))
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  ];
}

function targetsOf(token: Token): readonly Omit<FolderLink, 'line'>[] {
  if (token.type === 'html')
    return [
      ...token.raw.matchAll(/<(?<tag>img|a)\b[^<>]{0,2000}?\b(?:src|href)=["'](?<target>[^"']{1,2000})["']/giu),
    ].flatMap(({ groups }) =>
      linkTo(groups?.['target'] ?? '', groups?.['tag']?.toLowerCase() === 'img' ? 'image' : 'link'),
    );
  if (token.type !== 'link' && token.type !== 'image') return [];
  return linkTo(token['href'], token.type);
}

/** A link that works only in the folder. A link with a scheme or a host works everywhere. */
function linkTo(target: string, kind: 'image' | 'link'): readonly Omit<FolderLink, 'line'>[] {
  if (target === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/)/iu.test(target)) return [];
  return [{ kind: target.startsWith('#') ? 'anchor' : kind, target }];
}
