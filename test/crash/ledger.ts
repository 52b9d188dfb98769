import { ACKNOWLEDGED, type Ask, type Subject } from './subjects.ts';

/** What is known of one subject: the highest number sent, that was acknowledged, and that was ever read. */
interface Entry {
  sent: number;
  acknowledged: number;
  seen: number;
  /** The numbers of which an answer said that nothing of them was written. */
  readonly refused: Set<number>;
}

/** What must never be; each is counted. */
export interface Faults {
  /** A write that was acknowledged, and is not there. */
  lost: number;
  /** Something written together that came back apart. */
  torn: number;
  /** A read that shows less than an earlier one. */
  wentBack: number;
  /** A read of what nobody has sent, or of what an answer said was not written. */
  invented: number;
}

export const NO_FAULTS: Faults = { lost: 0, torn: 0, wentBack: 0, invented: 0 };

/** An outcome that leaves open whether anything was written. */
const OPEN_OUTCOMES: ReadonlySet<string> = new Set(['ArticleUpdateUnknown', 'OutcomeUnknownError']);

export interface Ledger {
  readonly faults: Readonly<Faults>;
  /** Requests that were acknowledged, and the items in them. */
  readonly acknowledged: { readonly writes: number; readonly items: number };
  /** Reads that were checked. */
  readonly reads: number;
  /** Things that a read found in two states at once, where one read is allowed to take several moments. */
  readonly mixed: number;
  /** By type name, of the writes and items that were answered and not acknowledged. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Sends the subject's next write. Rejects where no answer comes: what became of it is then open. */
  write(ask: Ask, subject: Subject): Promise<boolean>;
  /** Reads it and holds the answer against what is known. At rest all of its parts stand at one number. */
  check(ask: Ask, subject: Subject, atRest: boolean): Promise<void>;
}

export interface LedgerOptions {
  /** Whether a read shows one moment, whatever is written meanwhile. At rest it always does. */
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
        else judge(number, { before, entry, faults });
      }
      entry.seen = Math.max(entry.seen, Math.min(...numbers.map((number) => number ?? 0)));
    },
  };
}

interface Judgement {
  /** What was known when the read began, */
  readonly before: Entry;
  /** and what is known now. */
  readonly entry: Entry;
  readonly faults: Faults;
}

function judge(number: number | null, { before, entry, faults }: Judgement): void {
  if (number === null) {
    faults.torn += 1;
    return;
  }
  if (number < before.acknowledged) faults.lost += 1;
  if (number < before.seen) faults.wentBack += 1;
  if (number > entry.sent || entry.refused.has(number)) faults.invented += 1;
}
