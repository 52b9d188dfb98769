import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('transactions begin in the transaction runner alone', () => {
  const files = globSync('src/**/*.ts').filter((file) =>
    /\.(?:startT|t)ransaction\(/u.test(readFileSync(file, 'utf8')),
  );
  expect(files).toEqual(['src/store/database/transactions.ts']);
});
