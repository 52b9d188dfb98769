import { headingsOf } from './markdown.ts';
import type { Texts } from './repository-texts.ts';

/** One line of a text, without what stands before a comment or a quotation goes on. */
const MARGIN = /^\s*(?:(?:\/?\*+(?!\/)|\/\/|#|>)(?=\s|$))?\s*/u;

/** A text as one line, so that what breaks over lines is found, with the line of each position. */
function flatten(text: string) {
  const starts: number[] = [];
  let flat = '';
  for (const line of text.split('\n')) {
    starts.push(flat.length);
    flat += `${line.replace(MARGIN, '').trimEnd()} `;
  }
  return { flat, lineOf: (position: number) => starts.findLastIndex((start) => start <= position) + 1 };
}

/** A page of the docs, and the heading that is cited of it. In JSON, a quotation mark has a backslash before it. */
const CITATION = /\b(?<page>docs\/[\w./-]+\.md)(?:, ?\\?"(?<heading>[^"\\]+)\\?")?/gu;

/** The pages that comments cite by heading only. */
const CITED_BY_HEADING = new Set(['docs/service.md', 'docs/contract.md']);

const RECORD = /\bdecision (?<number>\d+)\b/giu;

/** What is wrong with the citations of a text: file, line and reason. `pages` are all pages by their path. */
export function citationProblems(path: string, text: string, pages: Texts): readonly string[] {
  const { flat, lineOf } = flatten(text);
  const problems: string[] = [];
  const report = (position: number, problem: string) => problems.push(`${path}:${lineOf(position)}: ${problem}`);
  for (const { index, groups } of flat.matchAll(CITATION)) {
    const problem = problemOf(path, groups ?? {}, pages);
    if (problem !== null) report(index, problem);
  }
  for (const { index, groups } of flat.matchAll(RECORD)) {
    const prefix = `docs/decisions/${groups?.['number']?.padStart(4, '0')}-`;
    if (![...pages.keys()].some((page) => page.startsWith(prefix))) report(index, `there is no ${prefix}….md`);
  }
  return problems;
}

function problemOf(path: string, { page = '', heading }: Record<string, string>, pages: Texts): string | null {
  const cited = pages.get(page);
  if (cited === undefined) return `there is no ${page}`;
  if (heading === undefined) {
    return CITED_BY_HEADING.has(page) && !pages.has(path) ? `${page} is cited without a heading` : null;
  }
  const count = headingsOf(cited).filter((text) => text === heading).length;
  if (count === 0) return `${page} has no heading "${heading}"`;
  return count === 1 ? null : `${page} has ${count} headings "${heading}"`;
}

/** How documents are cited that are not part of the repository. */
const OUTSIDE = [
  /\bfacts(?:\.md)?,? (?:section )?\d/giu,
  /\((?:service )?(?:facts?|spec)[,:)]/giu,
  /\b(?:facts|contract|spec|brief|plan|charter),? (?:section|rule|endpoint|chapter|item|part) \d/giu,
  /\b(?:contract|spec), \d/giu,
  /(?<!\bRFC \d+, )\bsection \d/giu,
  /\bthe spec(?:'s)?\b/giu,
  /\bissue #?\d/giu,
  /\bhouse[ -]style\b/giu,
  /\b(?:service-(?:facts|spec)|performance-notes)\.md\b/giu,
  /\.\.\/[\w./-]*shared\/[\w./-]+\.md\b/giu,
];

/** The places of a text that cite a document which a reader of the repository does not have. */
export function outsideCitations(path: string, text: string): readonly string[] {
  const { flat, lineOf } = flatten(text);
  return OUTSIDE.flatMap((pattern) =>
    [...flat.matchAll(pattern)].map(({ 0: quoted, index }) => `${path}:${lineOf(index)}: cites "${quoted}"`),
  );
}
