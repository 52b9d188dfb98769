import { print } from '../../support/figures.ts';
import type { Breach } from '../measure/bounds.ts';
import type { AbuseRequest } from '../measure/request.ts';
import { type Attempt, type Attempts, isKnown } from './attempts.ts';
import { keep } from './found.ts';
import { labelsOf, requestOf } from './genomes.ts';
import type { Journal } from './journal.ts';
import type { Trial } from './population.ts';

/** A kind of request that breaks a bound, and the file of the first. */
export interface Broken {
  readonly kind: string;
  readonly breaches: readonly Breach[];
  readonly file: string;
}

export interface Findings {
  readonly broken: readonly Broken[];
  /** What broke a bound once, and not again. */
  unrepeated(): number;
  /** Finds out what of the request breaks the bound, and whether it does so again, and keeps it then. */
  pursue(trial: Trial, attempt: Attempt): Promise<void>;
}

export interface FindingsOptions {
  readonly attempts: Attempts;
  readonly journal: Journal;
  /** Where requests are kept. */
  readonly folder: string;
}

interface Suspect {
  readonly trial: Trial;
  readonly attempt: Attempt;
  readonly request: AbuseRequest;
}

export function createFindings({ attempts, journal, folder }: FindingsOptions): Findings {
  const broken: Broken[] = [];
  const kinds = new Set<string>();
  let unrepeated = 0;

  const record = async ({ trial, attempt, request }: Suspect, before: readonly AbuseRequest[]): Promise<void> => {
    const { cost, answer, breaches } = attempt;
    const kind = kindsOf({ trial, attempt, request }).join(' + ');
    kinds.add(kind);
    const requestBytes = Buffer.byteLength(request.body) + request.path.length;
    const sizes = { status: answer.status, requestBytes, answerBytes: answer.bytes };
    const found = { what: kind, breaches, target: trial.target, isKnown: isKnown(request), cost, before, request };
    const file = await keep(folder, `${broken.length}-${kind}`, { ...found, ...sizes });
    broken.push({ kind, breaches, file });
    const spent = `held ${Math.round(cost.holdMs)} ms, CPU ${Math.round(cost.cpuMs)} ms, ${cost.peakMb} MB`;
    print(`BROKEN: ${kind} (${requestBytes} bytes: ${spent}, ${cost.end}) ${file}`);
  };

  const isNew = (suspect: Suspect): boolean => {
    const parts = kindsOf(suspect);
    return ![...parts, parts.join(' + ')].some((kind) => kinds.has(kind));
  };

  /** The first of the fields at the root that breaks a bound by itself, else the whole. */
  const reduce = async ({ trial, attempt, request }: Suspect): Promise<Suspect> => {
    const { genome, target, name } = trial;
    if (genome.kind !== 'operation' || genome.fields.length < 2) return { trial, attempt, request };
    for (const [index, field] of genome.fields.entries()) {
      const alone = { ...trial, genome: { ...genome, fields: [field] } };
      const smaller = requestOf(alone.genome, `${name}x${index}`);
      const again = await attempts.send(target, smaller);
      if (again.breaches.length > 0) return { trial: alone, attempt: again, request: smaller };
    }
    return { trial, attempt, request };
  };

  /** A gateway that is gone need not go twice. */
  const confirm = async (suspect: Suspect, writes: readonly AbuseRequest[]): Promise<void> => {
    const { target } = suspect.trial;
    journal.forget(target);
    if (suspect.attempt.cost.end !== 'answered') return record(suspect, []);
    for (const before of writes.length > 0 ? [[], writes] : [[]]) {
      const again = await attempts.sendAfresh(target, before, suspect.request);
      if (again.breaches.length > 0) return record({ ...suspect, attempt: again }, before);
    }
    unrepeated += 1;
  };

  return {
    broken,
    unrepeated: () => unrepeated,
    pursue: async (trial, attempt) => {
      const { target } = trial;
      const writes = journal.of(target);
      if (attempt.cost.end !== 'answered') journal.forget(target);
      const whole = { trial, attempt, request: requestOf(trial.genome, trial.name) };
      if (!isNew(whole)) return;
      const suspect = await reduce(whole);
      if (isNew(suspect)) await confirm(suspect, writes);
    },
  };
}

/** The store with the schema closed is the store. Who has no token may do less, so that is of another kind. */
function kindsOf({ trial, attempt, request }: Suspect): readonly string[] {
  const place = trial.target === 'closed' ? 'store' : trial.target;
  const who = isKnown(request) ? '' : ' stranger';
  return labelsOf(trial.genome).map((label) => `${place}${who} ${label}, ${attempt.breaches.join(' and ')}`);
}
