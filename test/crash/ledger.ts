import { ACKNOWLEDGED, type Ask, type Subject } from './subjects.ts';

/** The numbers of one subject: the highest that was sent, acknowledged and read. */
interface Entry {
  sent: number;
  acknowledged: number;
  seen: number;
  /** The numbers of the writes that were reported as not written. */
  readonly refused: Set<number>;
}

/** The faults that must never happen, with their counts. */
export interface Faults {
  /** An acknowledged write that is missing. */
  lost: number;
  /** A write whose parts were stored only in part. */
  torn: number;
  /** A read of an earlier state than before. */
  wentBack: number;
  /** A read of a value that was never sent, or was reported as not written. */
  invented: number;
}

export const NO_FAULTS: Faults = { lost: 0, torn: 0, wentBack: 0, invented: 0 };

/** Outcomes that leave open whether anything was written. */
const OPEN_OUTCOMES: ReadonlySet<string> = new Set(['ArticleUpdateUnknown', 'OutcomeUnknownError']);

export interface Ledger {
  readonly faults: Readonly<Faults>;
  /** The acknowledged requests, and their items. */
  readonly acknowledged: { readonly writes: number; readonly items: number };
  /** The reads that were checked. */
  readonly reads: number;
  /** Items that a read returned in two states at once, when one read is allowed to take several statements. */
  readonly mixed: number;
  /** The outcomes of writes and items that were not acknowledged, by type name. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Sends the subject's next write. Rejects when no response arrives: its outcome is then unknown. */
  write(ask: Ask, subject: Subject): Promise<boolean>;
  /** Reads the subject and compares it with what is known. At rest, all of its parts must have the same number. */
  check(ask: Ask, subject: Subject, atRest: boolean): Promise<void>;
}

export interface LedgerOptions {
  /** True when a read shows one state, even during a write. At rest, it always does. */
  readonly readsOneMoment: boolean;
}

export function createLedger({ readsOneMoment }: LedgerOptions = { readsOneMoment: true }): Ledger {
  const entries = new Map<string, Entry>();
  const faults: Faults = { ...NO_FAULTS };
  const acknowledged = { writes: 0, items: 0 };
  const refusals = new Map<string, number>();
  let reads = 0;
  let mixed = 0;
  const entryOf = ({ id }: Subject): Entry => {
    const entry = entries.get(id) ?? { sent: 0, acknowledged: 0, seen: 0, refused: new Set<number>() };
    entries.set(id, entry);
    return entry;
  };
  return {
    faults,
    acknowledged,
    refusals,
    get reads() {
      return reads;
    },
    get mixed() {
      return mixed;
    },
    async write(ask, subject) {
      const entry = entryOf(subject);
      entry.sent += 1;
      const number = entry.sent;
      const outcomes = await subject.write(ask, number);
      const refused = outcomes.filter((outcome) => !ACKNOWLEDGED.has(outcome));
      for (const outcome of refused) refusals.set(outcome, (refusals.get(outcome) ?? 0) + 1);
      if (!refused.some((outcome) => OPEN_OUTCOMES.has(outcome)) && refused.length > 0) entry.refused.add(number);
      if (refused.length > 0 || outcomes.length !== subject.items) return false;
      entry.acknowledged = number;
      acknowledged.writes += 1;
      acknowledged.items += subject.items;
      return true;
    },
    async check(ask, subject, atRest) {
      const entry = entryOf(subject);
      const before = { ...entry };
      const numbers = await subject.read(ask);
      reads += 1;
      if (numbers.length !== subject.items) faults.lost += 1;
      if (atRest && new Set(numbers).size > 1) faults.torn += 1;
      for (const number of numbers) {
        if (number === null && !atRest && !readsOneMoment) mixed += 1;
        else checkNumber(number, { before, entry, faults });
      }
      entry.seen = Math.max(entry.seen, Math.min(...numbers.map((number) => number ?? 0)));
    },
  };
}

interface NumberCheck {
  /** The numbers when the read began. */
  readonly before: Entry;
  /** The numbers now. */
  readonly entry: Entry;
  readonly faults: Faults;
}

function checkNumber(number: number | null, { before, entry, faults }: NumberCheck): void {
  if (number === null) {
    faults.torn += 1;
    return;
  }
  if (number < before.acknowledged) faults.lost += 1;
  if (number < before.seen) faults.wentBack += 1;
  if (number > entry.sent || entry.refused.has(number)) faults.invented += 1;
}
