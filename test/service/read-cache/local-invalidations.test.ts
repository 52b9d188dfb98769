import { describe, expect, it } from 'vitest';
import { LocalInvalidations } from '../../../src/service/read-cache/invalidations.ts';
import { SeededRandom } from '../../simulation/world/random.ts';
import { controlTime } from '../../support/read-cache-scene.ts';

const SCOPES = ['one', 'two', 'three'] as const;
const MARK_MS = 100;
/** The cache of scopes took its clock before the test controls the time: scopes are kept for longer than any test runs. */
const TIMES = { invalidMs: MARK_MS, keptMs: 3_600_000 };

interface BegunMark {
  readonly scope: string;
  readonly until: number;
  readonly end: () => unknown;
  isEnded: boolean;
}

/** Begins marks and ends them, some of them late or twice, and compares each scope with all marks that were begun. */
async function play(seed: number, passTime: (ms: number) => void): Promise<void> {
  const random = new SeededRandom(seed);
  const invalidations = new LocalInvalidations(TIMES);
  const begun: BegunMark[] = [];
  for (let step = 0; step < 200; step += 1) {
    passTime(random.between(0, 40));
    const invalidation = begun[random.between(0, begun.length - 1)];
    if (invalidation === undefined || random.chance(0.5)) {
      const scope = random.pick(SCOPES);
      const { end } = (await invalidations.begin(scope)).value;
      begun.push({ scope, until: performance.now() + MARK_MS, end, isEnded: false });
    } else {
      invalidation.end();
      invalidation.isEnded = true;
    }
    for (const scope of SCOPES) {
      const isInvalid = begun.some((m) => m.scope === scope && !m.isEnded && m.until > performance.now());
      expect((await invalidations.generationOf(scope)) === null, `${scope} in step ${step} of seed ${seed}`).toBe(
        isInvalid,
      );
    }
  }
}

describe('the invalidations of a process', () => {
  it('belong to one write each, however late or often one is ended', async () => {
    const passTime = controlTime();
    for (let seed = 1; seed <= 50; seed += 1) await play(seed, passTime);
  });

  it('are a new generation when they have ended, and none before', async () => {
    const invalidations = new LocalInvalidations(TIMES);
    const before = await invalidations.generationOf('one');
    const { end } = (await invalidations.begin('one')).value;
    expect(await invalidations.generationOf('one')).toBeNull();
    end();
    const after = await invalidations.generationOf('one');
    expect(after).not.toBeNull();
    expect(after).not.toBe(before);
  });
});
