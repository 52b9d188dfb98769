import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { followPage } from './page-run.ts';
import { stepsOf } from './page-steps.ts';
import { FOLLOWED_PAGES } from './pages.ts';

const TOOLS = ['curl', 'jq'];

/** The option --json of curl came with 7.82. */
const hasTools = (): boolean => {
  try {
    return /\bjson\b/u.test(TOOLS.map((tool) => execFileSync(tool, ['--help', 'all'], { encoding: 'utf8' })).join());
  } catch {
    return false;
  }
};

describe('a page that people follow', needs(hasTools(), `${TOOLS.join(' or ')} is missing or too old`), () => {
  it.each(FOLLOWED_PAGES)('does what it says: %s', async (page) => {
    const steps = stepsOf(readFileSync(page, 'utf8'));
    const answers = await followPage(steps);
    expect(answers.length).toBeGreaterThan(0);
    for (const [index, step] of steps.entries()) {
      const answer = answers[index] ?? '';
      if (step.kind === 'operation' && !step.answer) expect(JSON.parse(answer)).not.toHaveProperty('errors');
      if (step.kind === 'file' || !step.answer) continue;
      if (step.answer.language === 'json') expect(JSON.parse(answer)).toMatchObject(JSON.parse(step.answer.text));
      else expect(answer.trim()).toBe(step.answer.text.trim());
    }
  });
});
