/** A page without its blocks of code, which hold neither headings nor links. Each line stays where it is. */
export function withoutCode(page: string): string {
  let isCode = false;
  const lines = page.split('\n').map((line) => {
    const isLease = line.trimStart().startsWith('```');
    if (isLease) isCode = !isCode;
    return isLease || isCode ? '' : line;
  });
  return lines.join('\n');
}

/** The texts of all headings of a page, in their order. */
export const headingsOf = (page: string): readonly string[] =>
  [...withoutCode(page).matchAll(/^#{1,6} (?<text>.+)$/gmu)].map(({ groups }) => groups?.['text']?.trim() ?? '');

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of headingsOf(page)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

export interface Link {
  readonly target: string;
  readonly line: number;
}

/** The links and images of a page, and the definitions that links refer to. */
export const linksOf = (page: string): readonly Link[] =>
  found(page, /\]\((?<found>[^()\s]+)\)|^\[[^\]]+\]:\s*(?<defined>\S+)/gmu).map(({ text, line }) => ({
    target: text,
    line,
  }));

/** The names of definitions that links refer to, as in `[text][name]`. */
export const referencesOf = (page: string) => found(page, /\]\[(?<found>[^\]]+)\]/gu);

/** The names that are defined, as in `[name]: https://example.org`. */
export const definitionsOf = (page: string) => found(page, /^\[(?<found>[^\]]+)\]:/gmu);

function found(page: string, pattern: RegExp) {
  const text = withoutCode(page).replaceAll(/`[^`\n]*`/gu, (code) => ' '.repeat(code.length));
  return [...text.matchAll(pattern)].map(({ index, groups }) => ({
    text: groups?.['found'] ?? groups?.['defined'] ?? '',
    line: text.slice(0, index).split('\n').length,
  }));
}
