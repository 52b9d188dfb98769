import { describe, expect, it } from 'vitest';
import { ResponseBudget } from '../../../src/graphql/schema/response-budget.ts';

describe('the budget for texts', () => {
  const exceedsBudget = (...texts: readonly string[]): boolean => {
    const budget = new ResponseBudget({ maxAnswerFields: 10, maxAnswerChars: 600 });
    try {
      for (const text of texts) budget.chargeLeaf(text);
    } catch (error) {
      expect(error).toBe(budget.exceededError);
    }
    return budget.exceededError !== null;
  };

  it.each([
    ['letters', 'a', 600],
    ['umlauts', 'ü', 600],
    ['line ends', '\n', 300],
    ['pairs of surrogates', '😀', 300],
    ['control characters', '\u0001', 100],
    ['halves of surrogate pairs', '\ud83d', 100],
  ])('counts %s as JSON writes them, in one text or in many', (_what, character, maxCount) => {
    expect(exceedsBudget(character.repeat(maxCount))).toBe(false);
    expect(exceedsBudget(character.repeat(maxCount + 1))).toBe(true);
    const single = Array.from({ length: maxCount }, () => character);
    expect(exceedsBudget(...single)).toBe(false);
    expect(exceedsBudget(...single, character)).toBe(true);
  });
});
