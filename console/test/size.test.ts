import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the console has at most 10,130 lines of its own, with styles and documents', () => {
  const paths = globSync('console/src/**/*.*', { exclude: ['console/src/generated/**'] });
  const lines = paths.map((path) => readFileSync(path, 'utf8').split('\n').length - 1);
  expect(paths.length).toBeGreaterThan(50);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(10_130);
});
