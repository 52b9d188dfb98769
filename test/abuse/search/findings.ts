import { print } from '../../support/figures.ts';
import type { Breach } from '../measure/bounds.ts';
import type { AbuseRequest } from '../measure/request.ts';
import { type Attempt, type Attempts, isKnown } from './attempts.ts';
import { keep } from './found.ts';
import { labelsOf, requestOf } from './genomes.ts';
import type { Journal } from './journal.ts';
import type { Trial } from './population.ts';

/** A kind of request that breaks a bound, with the file of the first. */
export interface Broken {
  readonly kind: string;
  readonly breaches: readonly Breach[];
  readonly file: string;
}

export interface Findings {
  readonly broken: readonly Broken[];
  /** The number of requests that broke a bound once, and not again. */
  notReproduced(): number;
  /** Reduces the request to the field that breaks the bound, and keeps it when it does so again. */
  investigate(trial: Trial, attempt: Attempt): Promise<void>;
}

export interface FindingsOptions {
  readonly attempts: Attempts;
  readonly journal: Journal;
  /** The folder of the requests that are kept. */
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
  let notReproduced = 0;

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

  /** The first root field that breaks a bound by itself, else the whole request. */
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

  /** A process that has ended needs no confirmation. */
  const confirm = async (suspect: Suspect, writes: readonly AbuseRequest[]): Promise<void> => {
    const { target } = suspect.trial;
    journal.forget(target);
    if (suspect.attempt.cost.end !== 'answered') return record(suspect, []);
    for (const before of writes.length > 0 ? [[], writes] : [[]]) {
      const again = await attempts.sendAfresh(target, before, suspect.request);
      if (again.breaches.length > 0) return record({ ...suspect, attempt: again }, before);
    }
    notReproduced += 1;
  };

  return {
    broken,
    notReproduced: () => notReproduced,
    investigate: async (trial, attempt) => {
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

/** The store with introspection off counts as the store. Requests without an accepted token are a kind of their own. */
function kindsOf({ trial, attempt, request }: Suspect): readonly string[] {
  const target = trial.target === 'closed' ? 'store' : trial.target;
  const who = isKnown(request) ? '' : ' untrusted';
  return labelsOf(trial.genome).map((label) => `${target}${who} ${label}, ${attempt.breaches.join(' and ')}`);
}
