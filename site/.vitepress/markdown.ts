import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

/** The anchor that GitHub gives a heading, so that a link leads to the same place there and on the site. */
export const githubAnchor = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

/** Variables of the theme, so that a picture changes with the mode of the page. */
const COLOURS = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', accent: 'var(--vp-c-brand-1)', transparent: true };

/** The renderer's own style asks another host for a font, and Vue takes no style in a page. It is in theme/style.css. */
const STYLE = /<style>.*?<\/style>/su;

/** Draws a diagram of Mermaid; its first comment (`%%`) says in words what it shows. */
function draw(diagram: string): string {
  const [, label = 'Diagram'] = /^\s*%% (.+)$/mu.exec(diagram) ?? [];
  const svg = renderMermaidSVG(diagram, COLOURS).replace(STYLE, '');
  const quoted = label.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<div class="picture" v-pre>${svg.replace('<svg ', `<svg role="img" aria-label="${quoted}" `)}</div>\n`;
}

/** Draws blocks of Mermaid while the site is built, so that no page loads a program for it. */
export function pictures(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...others) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    return info.trim() === 'mermaid' ? draw(content) : (fence?.(tokens, index, ...others) ?? '');
  };
}
