import { describe, expect, it } from 'vitest';
import { ResponseBudget } from '../../src/schema/response-budget.ts';

describe('the budget for texts', () => {
  const exceedsBudget = (text: string): boolean => {
    const budget = new ResponseBudget({ maxAnswerFields: 10, maxAnswerChars: 600 });
    try {
      budget.chargeLeaf(text);
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
  ])('counts %s as JSON writes them', (_what, character, maxCount) => {
    expect(exceedsBudget(character.repeat(maxCount))).toBe(false);
    expect(exceedsBudget(character.repeat(maxCount + 1))).toBe(true);
  });
});

describe('a large response', () => {
  const createBudget = () => new ResponseBudget({ maxAnswerFields: 1_000_000, maxAnswerChars: 10_000_000 });

  it('is one of many fields or of long texts', () => {
    const [ofFields, ofText] = [createBudget(), createBudget()];
    ofFields.chargeFields(20_000);
    ofText.chargeLeaf('a'.repeat(500_000));
    expect([ofFields.isLargeResponse, ofText.isLargeResponse]).toEqual([true, true]);
  });

  it('is not made by a large input, which is not written', () => {
    const budget = createBudget();
    const items = Array.from({ length: 20_000 }, (_, index) => ({ articleId: `a${index}`, content: 'a'.repeat(20) }));
    budget.chargeInput({ input: { items }, note: 'a'.repeat(500_000) });
    budget.chargeFields(100);
    expect(budget.isLargeResponse).toBe(false);
  });
});
