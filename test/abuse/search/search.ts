import { createSchema } from '../../../src/graphql/schema/schema.ts';
import { print } from '../../support/figures.ts';
import type { AbuseRequest } from '../measure/request.ts';
import { createRandom } from '../mutants.ts';
import { TARGETS, type TargetName, type Targets } from '../targets/targets.ts';
import { type Attempt, createAttempts } from './attempts.ts';
import type { SchemaContext } from './fields.ts';
import { type Broken, createFindings } from './findings.ts';
import { createGenome, mutateGenome, requestOf } from './genomes.ts';
import { createJournal } from './journal.ts';
import { createPopulation, type Population, type Trial } from './population.ts';
import { chance, pick } from './random.ts';

export interface SearchPlan {
  readonly seed: number;
  /** The search ends when this time has passed and `count` requests were sent, and after twice the time in any case. */
  readonly minutes: number;
  readonly count: number;
  /** The folder of the requests that break a bound. */
  readonly folder: string;
}

export interface SearchReport extends SearchPlan {
  readonly sent: ReadonlyMap<TargetName, number>;
  readonly tookMinutes: number;
  /** The kinds of requests that break a bound, each with the file of the first. */
  readonly broken: readonly Broken[];
  /** The number of requests that broke a bound once, and not again. */
  readonly notReproduced: number;
  readonly population: Population;
}

/** The share of requests that are new rather than mutations. */
const FRESH = 0.7;

export async function search(targets: Targets, plan: SearchPlan): Promise<SearchReport> {
  const population = createPopulation();
  const journal = createJournal();
  const attempts = createAttempts(targets);
  const findings = createFindings({ attempts, journal, folder: plan.folder });
  const next = createCandidates(targets, population, plan.seed);
  const sent = new Map<TargetName, number>();
  const begun = performance.now();
  const tookMinutes = () => (performance.now() - begun) / 60_000;
  const isDone = (number: number) =>
    (tookMinutes() >= plan.minutes && number >= plan.count) || tookMinutes() >= 2 * plan.minutes;
  for (let number = 0; !isDone(number); number += 1) {
    const candidate = next(`S${number}`);
    const { target, genome, name } = candidate;
    const request = requestOf(genome, name);
    if (journal.isFull(target)) await targets.restart(target).then(() => journal.forget(target));
    const attempt = await attempts.send(target, request);
    sent.set(target, (sent.get(target) ?? 0) + 1);
    const trial = trialOf(candidate, request, attempt);
    population.offer(trial);
    journal.note(target, request, attempt);
    if (attempt.breaches.length > 0) await findings.investigate(trial, attempt);
    if (number % 500 === 499) {
      print(`${number + 1} requests in ${tookMinutes().toFixed(1)} min, ${findings.broken.length} kinds break a bound`);
    }
  }
  const { broken } = findings;
  return { ...plan, sent, tookMinutes: tookMinutes(), broken, notReproduced: findings.notReproduced(), population };
}

type Candidate = Pick<Trial, 'target' | 'genome' | 'name'>;

/** Generates new requests, and mutations of the worst so far. */
function createCandidates(targets: Targets, population: Population, seed: number): (name: string) => Candidate {
  const random = createRandom(seed);
  const schema = createSchema();
  return (name) => {
    const parent = chance(random, FRESH) ? null : population.parent(random);
    const target = parent && chance(random, 0.9) ? parent.target : pick(random, TARGETS);
    const context: SchemaContext = { random, schema, ids: targets.ids[target] };
    return { target, name, genome: parent ? mutateGenome(context, parent.genome) : createGenome(context, target) };
  };
}

const trialOf = (
  { target, genome, name }: Candidate,
  { body, path }: AbuseRequest,
  { cost, answer, breaches }: Attempt,
): Trial => ({
  target,
  genome,
  name,
  cost,
  status: answer.status,
  requestBytes: Buffer.byteLength(body) + path.length,
  answerBytes: answer.bytes,
  isBroken: breaches.length > 0,
});
