import { describe, expect, it } from 'vitest';
import { createLedger, NO_FAULTS } from './ledger.ts';
import type { Subject } from './subjects.ts';

const ask = () => Promise.resolve({});

/** A subject of two items that returns the given outcome and numbers, whatever is written to it. */
function subjectWith(outcome: string) {
  const answers: (number | null)[] = [0, 0];
  const subject: Subject = {
    id: 'shelf',
    items: 2,
    write: () => Promise.resolve([outcome, outcome]),
    read: () => Promise.resolve([...answers]),
  };
  const answer = (...numbers: (number | null)[]) => answers.splice(0, answers.length, ...numbers);
  return { subject, answer };
}

/** The faults that are counted when `writes` writes end in `outcome`, and later reads return the given numbers. */
async function faultsOf(writes: number, outcome: string, ...reads: (readonly (number | null)[])[]) {
  const ledger = createLedger();
  const { subject, answer } = subjectWith(outcome);
  for (let write = 0; write < writes; write++) await ledger.write(ask, subject);
  for (const numbers of reads) {
    answer(...numbers);
    await ledger.check(ask, subject, true);
  }
  return ledger.faults;
}

describe('the ledger of a crash test', () => {
  it('finds no fault when acknowledged writes are there', async () => {
    expect(await faultsOf(3, 'ArticleUpdated', [3, 3], [3, 3])).toEqual(NO_FAULTS);
  });

  it('accepts both results of a write with an unknown outcome', async () => {
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [0, 0])).toEqual(NO_FAULTS);
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [2, 2], [2, 2])).toEqual(NO_FAULTS);
  });

  it('counts acknowledged writes that are missing', async () => {
    expect(await faultsOf(3, 'ArticleUpdated', [2, 2])).toEqual({ ...NO_FAULTS, lost: 2 });
    expect(await faultsOf(3, 'ArticleUpdated', [3])).toEqual({ ...NO_FAULTS, lost: 1 });
  });

  it('counts writes that were stored in part', async () => {
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [2, 3])).toEqual({ ...NO_FAULTS, torn: 1 });
    expect(await faultsOf(3, 'ArticleUpdated', [null, null])).toEqual({ ...NO_FAULTS, torn: 2 });
  });

  it('accepts a read that mixes two states during a write, when the store allows it, and never at rest', async () => {
    const ledger = createLedger({ readsOneMoment: false });
    const { subject, answer } = subjectWith('ArticleUpdated');
    for (let write = 0; write < 3; write++) await ledger.write(ask, subject);
    answer(null, 3);
    await ledger.check(ask, subject, false);
    expect(ledger).toMatchObject({ faults: NO_FAULTS, mixed: 1 });
    await ledger.check(ask, subject, true);
    expect(ledger).toMatchObject({ faults: { ...NO_FAULTS, torn: 2 }, mixed: 1 });
  });

  it('counts reads of an earlier state than before', async () => {
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [2, 2], [1, 1])).toEqual({ ...NO_FAULTS, wentBack: 2 });
  });

  it('counts values that were never sent, or were reported as not written', async () => {
    expect(await faultsOf(3, 'ArticleUpdated', [4, 4])).toEqual({ ...NO_FAULTS, invented: 2 });
    expect(await faultsOf(3, 'ServiceUnavailableError', [3, 3])).toEqual({ ...NO_FAULTS, invented: 2 });
  });
});
