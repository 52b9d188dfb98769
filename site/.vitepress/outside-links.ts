import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MarkdownRenderer } from 'vitepress';

type CoreRule = Parameters<MarkdownRenderer['core']['ruler']['push']>[1];
type Token = Parameters<CoreRule>[0]['tokens'][number];

/** The page on the code host that shows the files of the repository; null where package.json names no repository. */
function filesOnCodeHost(): string | null {
  const manifest: { repository?: { url?: string } } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
  );
  const { page } = /^(?:git\+)?(?<page>https:.+?)(?:\.git)?$/u.exec(manifest.repository?.url ?? '')?.groups ?? {};
  return page === undefined ? null : `${page}/blob/HEAD`;
}

const FILES = filesOnCodeHost();

/** The file of the repository to which a link of a page leads, where that is no page of the site; else null. */
function outsideFile(page: string, href: string): string | null {
  if (/^(?:[a-z]+:|#|\/)/iu.test(href)) return null;
  const [path = ''] = href.split('#');
  const file = posix.join('docs', posix.dirname(page), path);
  return file.startsWith('docs/') && file.endsWith('.md') ? null : file;
}

/** Points links at the code host; without one, the text of the link stays, since the site does not have the file. */
function rewrite(tokens: readonly Token[], page: string): void {
  let isWithoutLink = false;
  for (const token of tokens) {
    const isEnd = token.type === 'link_close';
    const file = token.type === 'link_open' ? outsideFile(page, token.attrGet('href') ?? '') : null;
    if (file !== null && FILES !== null) token.attrSet('href', `${FILES}/${file}`);
    if (file !== null && FILES === null) {
      isWithoutLink = true;
      Object.assign(token, { type: 'span_open', tag: 'span', attrs: [['title', file]] });
    } else if (isEnd && isWithoutLink) {
      isWithoutLink = false;
      Object.assign(token, { type: 'span_close', tag: 'span' });
    }
  }
}

/** Pages link to files of the repository that the site does not have, such as sources. */
export function leadOutside(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links to the code host', ({ tokens, env }) => {
    for (const { children } of tokens) rewrite(children ?? [], env.relativePath);
  });
}
