import type { Cost } from '../measure/measured-gateway.ts';
import type { Random } from '../mutants.ts';
import type { TargetName } from '../targets/targets.ts';
import { type Genome, labelOf } from './genomes.ts';
import { pick } from './random.ts';

/** A request that was sent, with its cost. */
export interface Trial {
  readonly target: TargetName;
  readonly genome: Genome;
  /** The name in its document. */
  readonly name: string;
  readonly cost: Cost;
  readonly status: number;
  readonly requestBytes: number;
  readonly answerBytes: number;
  /** True when it breaks a bound; it is not mutated further then. */
  readonly isBroken: boolean;
}

/** The size of a head and its packets, so that the smallest requests do not win by their size. */
const HEAD_BYTES = 300;

/** The measures by which requests are compared; more is worse. */
export const MEASURES = {
  'hold (CPU ms)': ({ cost }) => cost.holdMs,
  'CPU (ms)': ({ cost }) => cost.cpuMs,
  'memory (MB)': ({ cost }) => cost.growthMb,
  'CPU per kB of request (ms)': ({ cost, requestBytes }) => (1_000 * cost.cpuMs) / (HEAD_BYTES + requestBytes),
  'memory per kB of request (MB)': ({ cost, requestBytes }) => (1_000 * cost.growthMb) / (HEAD_BYTES + requestBytes),
  'answer per byte of request (bytes)': ({ answerBytes, requestBytes }) => answerBytes / (HEAD_BYTES + requestBytes),
} as const satisfies Record<string, (trial: Trial) => number>;

export type Measure = keyof typeof MEASURES;

export const MEASURE_NAMES: readonly Measure[] = [
  'hold (CPU ms)',
  'CPU (ms)',
  'memory (MB)',
  'CPU per kB of request (ms)',
  'memory per kB of request (MB)',
  'answer per byte of request (bytes)',
];

const KEPT = 10;

/** The worst requests by each measure, one of each kind. */
export interface Population {
  offer(trial: Trial): void;
  /** One of the worst requests that break no bound, by a random measure; null when there is none yet. */
  parent(random: Random): Trial | null;
  worst(measure: Measure): readonly Trial[];
}

export function createPopulation(): Population {
  const kept = new Map<Measure, readonly Trial[]>();
  const worst = (measure: Measure): readonly Trial[] => kept.get(measure) ?? [];

  const offerBy = (measure: Measure, trial: Trial): void => {
    const score = MEASURES[measure];
    const kind = kindOf(trial);
    const [same] = worst(measure).filter((other) => kindOf(other) === kind);
    if (same && score(same) >= score(trial)) return;
    const others = worst(measure).filter((other) => other !== same);
    kept.set(measure, [...others, trial].sort((one, other) => score(other) - score(one)).slice(0, KEPT));
  };

  return {
    worst,
    offer: (trial) => {
      for (const measure of MEASURE_NAMES) offerBy(measure, trial);
    },
    parent: (random) => {
      const trials = worst(pick(random, MEASURE_NAMES)).filter(({ isBroken }) => !isBroken);
      return trials.length > 0 ? pick(random, trials) : null;
    },
  };
}

export const kindOf = ({ target, genome }: Pick<Trial, 'target' | 'genome'>): string => `${target} ${labelOf(genome)}`;
