import { setTimeout as sleep } from 'node:timers/promises';
import { print, require } from '../../support/figures.ts';
import { breachesOf } from '../measure/bounds.ts';
import type { Cost, MeasuredGateway } from '../measure/measured-gateway.ts';
import { type AbuseRequest, type Answer, createSender } from '../measure/request.ts';
import { warmUp } from '../measure/warm-up.ts';
import type { Targets } from '../targets/targets.ts';
import { type Attack, graphql } from './attack.ts';

export interface AttackReport {
  readonly attack: Attack;
  readonly cost: Cost;
  readonly statuses: string;
  /** The responses to another client meanwhile, and the longest that it waited for one. */
  readonly bystander: Bystander;
  readonly complaints: readonly string[];
}

interface Bystander {
  readonly answers: number;
  readonly refused: number;
  readonly worstMs: number;
}

/**
 * Runs one attack after another and reports the cost of each. After an attack that broke a bound, a new gateway is
 * started.
 */
export async function runAttacks(targets: Targets, attacks: readonly Attack[]): Promise<readonly AttackReport[]> {
  const reports: AttackReport[] = [];
  for (const attack of attacks) {
    const isFirst = reports.every(({ attack: { target } }) => target !== attack.target);
    const report = await runAttack(
      await (isFirst ? startWarm(targets, attack) : targets.running(attack.target)),
      attack,
    );
    const isBad = report.complaints.length > 0;
    const final = isBad ? await leastOf(targets, report) : report;
    reports.push(final);
    print(lineOf(final));
    for (const complaint of final.complaints) require(`${attack.name}: ${complaint}`, false);
    if (isBad || final.cost.peakMb > CLEAN_MB) await startWarm(targets, attack);
  }
  return reports;
}

/** Above this memory, a new gateway is started, so that the next attack is not charged for it. */
const CLEAN_MB = 400;

/** A breach that not every run shows is due to the compiler or the garbage collector. */
const RUNS = 3;

async function startWarm(targets: Targets, { target }: Attack): Promise<MeasuredGateway> {
  const gateway = await targets.restart(target);
  await warmUp(gateway);
  return gateway;
}

/** The best of as many runs as are needed, at most `RUNS`. */
async function leastOf(targets: Targets, first: AttackReport): Promise<AttackReport> {
  let best = first;
  for (let runs = 1; runs < RUNS && best.complaints.length > 0 && best.cost.end === 'answered'; runs += 1) {
    const next = await runAttack(await startWarm(targets, first.attack), first.attack);
    if (next.complaints.length < best.complaints.length || next.cost.holdMs < best.cost.holdMs) best = next;
  }
  return best;
}

const lineOf = ({ attack, cost, statuses, bystander }: AttackReport): string =>
  `${attack.name}: ${statuses}; held ${Math.round(cost.holdMs)} ms, CPU ${Math.round(cost.cpuMs)} ms, ${cost.peakMb} MB, another client ${bystander.worstMs} ms`;

const MAX_SETTLE_MS = 20_000;

async function runAttack(gateway: MeasuredGateway, attack: Attack): Promise<AttackReport> {
  const sender = createSender(gateway.origin);
  const stop = new AbortController();
  const [cost, given] = await gateway.measure(async (signal) => {
    const watched = watch(gateway.origin, stop.signal);
    const send = (request: AbuseRequest) => sender.send(request, signal);
    const answers = await attack.run({ origin: gateway.origin, signal, send });
    stop.abort();
    return { answers, bystander: await watched };
  });
  stop.abort();
  sender.close();
  const { answers, bystander } = given ?? { answers: [], bystander: NOBODY };
  const breaches = breachesOf({
    cost,
    answers,
    rawInLog: await gateway.takeRawInLog(),
    isKnown: attack.token === 'known',
  });
  const complaints: string[] = breaches.filter((breach) => !attack.isCrowd || breach !== 'held the loop');
  if (given) complaints.push(...complaintsOf(bystander, attack));
  if (cost.growthMb > (attack.maxGrowthMb ?? cost.growthMb)) complaints.push(`took ${Math.round(cost.growthMb)} MB`);
  if (given && !(await isWell(gateway))) complaints.push('the gateway does not answer afterwards');
  const own = given && attack.complaint?.(answers);
  return { attack, cost, statuses: countsOf(answers), bystander, complaints: own ? [...complaints, own] : complaints };
}

const NOBODY: Bystander = { answers: 0, refused: 0, worstMs: 0 };

function complaintsOf({ answers, refused, worstMs }: Bystander, { maxWaitMs }: Attack): readonly string[] {
  if (maxWaitMs !== undefined && worstMs > maxWaitMs) return [`another client waited ${worstMs} ms`];
  if (refused > 0) return [`another client got ${refused} error responses`];
  return answers === 0 ? ['another client got no response'] : [];
}

function countsOf(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status || 'no response'}`).join(', ');
}

const PAUSE_MS = 50;

const SMALL = graphql('known', '{ projectVersions { name } }');

/** Sends one small query after another with an accepted token. */
async function watch(origin: string, stop: AbortSignal): Promise<Bystander> {
  const sender = createSender(origin);
  let [answers, refused, worst] = [0, 0, 0];
  do {
    const begun = performance.now();
    const { status } = await sender.send(SMALL);
    worst = Math.max(worst, performance.now() - begun);
    if (status === 200) answers += 1;
    else refused += 1;
    await sleep(PAUSE_MS);
  } while (!stop.aborted);
  sender.close();
  return { answers, refused, worstMs: Math.round(worst) };
}

/** True when the gateway answers again after it has finished its work. */
async function isWell(gateway: MeasuredGateway): Promise<boolean> {
  const sender = createSender(gateway.origin);
  const answer = await sender.send(SMALL, AbortSignal.timeout(MAX_SETTLE_MS));
  sender.close();
  return answer.status === 200;
}
