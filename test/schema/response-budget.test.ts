import { describe, expect, it } from 'vitest';
import { ResponseBudget } from '../../src/schema/response-budget.ts';

describe('the text that an operation may come to', () => {
  const isTooMuch = (text: string): boolean => {
    const budget = new ResponseBudget({ maxAnswerFields: 10, maxAnswerText: 600 });
    try {
      budget.chargeLeaf(text);
    } catch (error) {
      expect(error).toBe(budget.exceeded);
    }
    return budget.exceeded !== null;
  };

  it.each([
    ['letters', 'a', 600],
    ['umlauts', 'ü', 600],
    ['line ends', '\n', 300],
    ['pairs of surrogates', '😀', 300],
    ['control characters', '\u0001', 100],
    ['halves of surrogate pairs', '\ud83d', 100],
  ])('has room for %s as JSON writes them', (_what, character, most) => {
    expect(isTooMuch(character.repeat(most))).toBe(false);
    expect(isTooMuch(character.repeat(most + 1))).toBe(true);
  });
});
