import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

/** The groups, each with its pages in their order; a folder stands for all its pages. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['index.md', 'quick-start.md', 'tutorial.md', 'console.md', 'deployment.md'],
  Concepts: ['outcomes', 'scopes', 'membership', 'jobs', 'budgets'].map((name) => `concepts/${name}.md`),
  Recipes: ['react-page', 'apollo-page', 'relay', 'publish-from-ci', 'from-rest', 'spreadsheet'].map(
    (name) => `recipes/${name}.md`,
  ),
  Reference: [
    ...['schema', 'queries', 'mutations', 'objects', 'interfaces', 'unions', 'inputs', 'enums', 'scalars'].map(
      (name) => `reference/${name}.md`,
    ),
    'reference/errors.md',
    'reference/settings.md',
    'reference/check-service.md',
    'reference/limits.md',
    'reference/scopes.md',
    'reference/calls.md',
    'reference/metrics.md',
    'reference/log.md',
    'reference/compatibility.md',
    'contract.md',
    'bulk-update.md',
    'package.md',
    'clients.md',
    'federation.md',
    'mcp.md',
  ],
  Operations: [
    'operations.md',
    'security.md',
    'reliability.md',
    'performance.md',
    'performance/measurements.md',
    'store.md',
  ],
  Development: ['architecture.md', 'service.md'],
};

const pages = globSync('**/*.md', { cwd: DOCS }).sort();
const listed = new Set(Object.values(GROUPS).flat());
const isDecision = (page: string) => page.startsWith('decisions/');

const titleOf = (page: string): string => /^# (?<title>.+)$/mu.exec(readFileSync(DOCS + page, 'utf8'))?.[1] ?? page;

const item = (page: string) => ({
  text: titleOf(page).replaceAll('`', ''),
  link: `/${page.replace(/(?:^|(?<=\/))index\.md$|\.md$/u, '')}`,
});

/** Every page of docs/, under its title. A page that no group names is at the end, so that all can be reached. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const others = pages.filter((page) => !listed.has(page) && !isDecision(page));
  const groups = [...Object.entries(GROUPS), ...(others.length > 0 ? [['More', others] as const] : [])];
  return [
    ...groups.map(([text, names]) => ({ text, items: names.map(item) })),
    { text: 'Decisions', collapsed: true, items: pages.filter(isDecision).map(item) },
  ];
}
