import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitepress';
import { githubAnchor, pictures } from './markdown.ts';
import { leadOutside } from './outside-links.ts';
import { sidebar } from './sidebar.ts';

const HERE = fileURLToPath(import.meta.url);

/** Pages become modules that import Vue, and stand outside of this folder, in which Vue is installed. */
const packagesOfPages: Plugin = {
  name: 'packages of the pages',
  enforce: 'pre',
  resolveId(source, importer, options) {
    if (!/^vue(?:\/|$)/u.test(source)) return null;
    // While the site is built, Node renders the pages, and finds Vue from the folder of the output.
    if (options.ssr) return { id: source, external: true };
    return importer?.endsWith('.md') ? this.resolve(source, HERE, options) : null;
  },
};

/** The pages of docs/, which are readable on a code host as they are. */
export default defineConfig({
  title: 'kb-gateway',
  description:
    'A GraphQL gateway for a knowledge-base service such as Document360: typed outcomes for every write, few upstream calls.',
  srcDir: '../docs',
  lang: 'en',
  // Browsers ask for an icon otherwise.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: githubAnchor },
    config: (markdown) => {
      markdown.use(leadOutside).use(pictures);
    },
  },
  vite: { plugins: [packagesOfPages] },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Concepts', link: '/concepts/outcomes', activeMatch: '^/concepts/' },
      { text: 'Recipes', link: '/recipes/react-page', activeMatch: '^/recipes/' },
      { text: 'Reference', link: '/reference/schema', activeMatch: '^/reference/' },
      { text: 'Operations', link: '/operations' },
    ],
    sidebar: sidebar(),
  },
});
