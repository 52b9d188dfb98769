import { setTimeout as sleep } from 'node:timers/promises';
import { print, require } from '../../support/figures.ts';
import { breachesOf } from '../measure/bounds.ts';
import type { Cost, MeasuredGateway } from '../measure/measured-gateway.ts';
import { type Answer, createSender } from '../measure/request.ts';
import { warmUp } from '../measure/warm-up.ts';
import type { Targets } from '../targets/targets.ts';
import { type Attack, graphql } from './attack.ts';

export interface AttackReport {
  readonly attack: Attack;
  readonly cost: Cost;
  readonly statuses: string;
  /** Answers that somebody else got meanwhile, and the longest that one took. */
  readonly bystander: Bystander;
  readonly complaints: readonly string[];
}

interface Bystander {
  readonly answers: number;
  readonly refused: number;
  readonly worstMs: number;
}

/** Makes one attack after another, each of them on a gateway of its own, and says what each has cost. */
export async function runAttacks(targets: Targets, attacks: readonly Attack[]): Promise<readonly AttackReport[]> {
  const reports: AttackReport[] = [];
  for (const attack of attacks) {
    const report = await runAttack(await targets.restart(attack.target), attack);
    reports.push(report);
    const { cost, statuses, bystander, complaints } = report;
    print(
      `${attack.name}: ${statuses}; held ${Math.round(cost.holdMs)} ms, CPU ${Math.round(cost.cpuMs)} ms, ${cost.peakMb} MB, another client ${bystander.worstMs} ms`,
    );
    for (const complaint of complaints) require(`${attack.name}: ${complaint}`, false);
  }
  return reports;
}

const MOST_SETTLE_MS = 5_000;

async function runAttack(gateway: MeasuredGateway, attack: Attack): Promise<AttackReport> {
  await warmUp(gateway);
  const sender = createSender(gateway.origin);
  const stop = new AbortController();
  const [cost, given] = await gateway.measure(async (signal) => {
    const watched = watch(gateway.origin, stop.signal);
    const answers = await attack.run({
      origin: gateway.origin,
      signal,
      send: (request) => sender.send(request, signal),
    });
    stop.abort();
    return { answers, bystander: await watched };
  });
  stop.abort();
  sender.close();
  const answers = given?.answers ?? [];
  const bystander = given?.bystander ?? { answers: 0, refused: 0, worstMs: 0 };
  const breaches = breachesOf({ cost, answers, isKnown: attack.token === 'known' });
  const complaints: string[] = [...breaches];
  if (given && bystander.refused > 0) complaints.push(`another client was refused ${bystander.refused} times`);
  if (given && bystander.answers === 0) complaints.push('another client was not answered');
  if (given && !(await isWell(gateway))) complaints.push('the gateway does not answer any more');
  const own = given && attack.complaint?.(answers);
  return { attack, cost, statuses: countsOf(answers), bystander, complaints: own ? [...complaints, own] : complaints };
}

function countsOf(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ');
}

const PAUSE_MS = 50;

const SMALL = graphql('known', '{ projectVersions { name } }');

/** Somebody with a token that is known, who asks for little, again and again. */
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

/** Whether it answers, once what is left to do is done. */
async function isWell(gateway: MeasuredGateway): Promise<boolean> {
  const sender = createSender(gateway.origin);
  const answer = await sender.send(SMALL, AbortSignal.timeout(MOST_SETTLE_MS));
  sender.close();
  return answer.status === 200;
}
