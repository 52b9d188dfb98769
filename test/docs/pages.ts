import { globSync } from 'node:fs';

/** The pages that people follow from top to bottom: every command and every query in them is run. */
export const FOLLOWED_PAGES: readonly string[] = [
  'docs/quick-start.md',
  'docs/tutorial.md',
  ...globSync('docs/{concepts,recipes}/*.md').sort(),
];
