import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print, require } from '../../support/figures.ts';
import { openTargets } from '../targets/targets.ts';
import { createAttempts } from './attempts.ts';
import { readFound } from './found.ts';
import { report } from './report.ts';
import { search } from './search.ts';

/** The options of `search` as they were given on the command line. */
export interface SearchOptions {
  readonly seed?: string | undefined;
  readonly minutes?: string | undefined;
  readonly count?: string | undefined;
  readonly found?: string | undefined;
  readonly report?: string | undefined;
}

/** Searches for requests that break a bound. */
export async function runSearch(options: SearchOptions): Promise<void> {
  const targets = await openTargets();
  const plan = {
    seed: Number(options.seed ?? Date.now() % 2 ** 31),
    minutes: Number(options.minutes ?? 60),
    count: Number(options.count ?? 20_000),
    folder: options.found ?? join(tmpdir(), 'abuse-found'),
  };
  print(`searching with the seed ${plan.seed}; requests are kept in ${plan.folder}`);
  try {
    const result = await search(targets, plan);
    await report(result, options.report);
    require('no request breaks a bound', result.broken.length === 0);
  } finally {
    await targets.stop();
  }
}

/** Sends a request again that a search has kept. */
export async function replay(file: string): Promise<void> {
  const { what, target, before, request } = await readFound(file);
  const targets = await openTargets();
  try {
    const { cost, answer, breaches } = await createAttempts(targets).sendAfresh(target, before, request);
    print(`${what}: ${JSON.stringify(cost)}, HTTP ${answer.status} with ${answer.bytes} bytes`);
    print(answer.text.slice(0, 500));
    require(`it must break no bound: ${breaches.join(' and ')}`, breaches.length === 0);
  } finally {
    await targets.stop();
  }
}
