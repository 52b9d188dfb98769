import { fromHtml } from 'hast-util-from-html';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { marked } from 'marked';

type Content = ReturnType<typeof fromHtml>['children'][number];

/** What GitHub permits, without whatever loads, sends or opens something, and without names that others may refer to. */
const SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => !['img', 'input', 'picture', 'source'].includes(name)),
  attributes: { '*': ['align', 'colSpan', 'dir', 'lang', 'rowSpan', 'start', 'title'] },
  protocols: {},
  strip: ['script', 'style', 'svg', 'math', 'video', 'audio', 'iframe', 'object', 'template'],
};

/**
 * Converts the text of an article to HTML that is safe to show. Nothing is loaded, sent or opened by it: images become
 * their descriptions, and links have no address.
 */
export function safeHtmlOf({ text, isHtml }: { readonly text: string; readonly isHtml: boolean }): string {
  const tree = fromHtml(isHtml ? text : marked.parse(text, { async: false }), { fragment: true });
  return toHtml(sanitize({ ...tree, children: tree.children.map(withoutAddress) }, SCHEMA));
}

function withoutAddress(node: Content): Content {
  if (node.type !== 'element') return node;
  const { tagName, properties } = node;
  if (tagName === 'img') {
    const name = String(properties['alt'] || properties['src'] || 'without a description');
    return { type: 'element', tagName: 'kbd', properties: {}, children: [{ type: 'text', value: `Image: ${name}` }] };
  }
  const { href } = properties;
  const children = node.children.map(withoutAddress).filter((child) => child.type !== 'doctype');
  return { ...node, properties: href === undefined ? properties : { ...properties, title: String(href) }, children };
}
