import { describe, expect, it } from 'vitest';
import { createLedger, NO_FAULTS } from './ledger.ts';
import type { Subject } from './subjects.ts';

const ask = () => Promise.resolve({});

/** A subject of two items that answers as it is told, whatever is written to it. */
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

/** What is counted where so many writes were answered so, and reads then show the numbers one after another. */
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
  it('finds nothing wrong with what was acknowledged and is there', async () => {
    expect(await faultsOf(3, 'ArticleUpdated', [3, 3], [3, 3])).toEqual(NO_FAULTS);
  });

  it('takes a write without a clear outcome either way', async () => {
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [0, 0])).toEqual(NO_FAULTS);
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [2, 2], [2, 2])).toEqual(NO_FAULTS);
  });

  it('counts acknowledged writes that are not there', async () => {
    expect(await faultsOf(3, 'ArticleUpdated', [2, 2])).toEqual({ ...NO_FAULTS, lost: 2 });
    expect(await faultsOf(3, 'ArticleUpdated', [3])).toEqual({ ...NO_FAULTS, lost: 1 });
  });

  it('counts what came back apart', async () => {
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [2, 3])).toEqual({ ...NO_FAULTS, torn: 1 });
    expect(await faultsOf(3, 'ArticleUpdated', [null, null])).toEqual({ ...NO_FAULTS, torn: 2 });
  });

  it('takes what is read while it is written from two moments, where reads may have two, and not at rest', async () => {
    const ledger = createLedger({ readsOneMoment: false });
    const { subject, answer } = subjectWith('ArticleUpdated');
    for (let write = 0; write < 3; write++) await ledger.write(ask, subject);
    answer(null, 3);
    await ledger.check(ask, subject, false);
    expect(ledger).toMatchObject({ faults: NO_FAULTS, mixed: 1 });
    await ledger.check(ask, subject, true);
    expect(ledger).toMatchObject({ faults: { ...NO_FAULTS, torn: 2 }, mixed: 1 });
  });

  it('counts reads that go back in time', async () => {
    expect(await faultsOf(3, 'ArticleUpdateUnknown', [2, 2], [1, 1])).toEqual({ ...NO_FAULTS, wentBack: 2 });
  });

  it('counts what was never sent, or surely not written, and is there', async () => {
    expect(await faultsOf(3, 'ArticleUpdated', [4, 4])).toEqual({ ...NO_FAULTS, invented: 2 });
    expect(await faultsOf(3, 'ServiceUnavailableError', [3, 3])).toEqual({ ...NO_FAULTS, invented: 2 });
  });
});
