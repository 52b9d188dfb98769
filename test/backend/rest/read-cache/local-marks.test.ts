import { describe, expect, it } from 'vitest';
import { LocalMarks } from '../../../../src/backend/rest/read-cache/local-marks.ts';
import { SeededRandom } from '../../../simulation/world/random.ts';
import { controlTime } from '../../../support/read-cache-scene.ts';

const SCOPES = ['one', 'two', 'three'] as const;
const MARK_MS = 100;
const REMEMBERED_MS = 150;

interface BegunMark {
  readonly scope: string;
  readonly until: number;
  readonly end: () => void;
  isEnded: boolean;
}

/** Begins marks and ends them, some of them late or twice, and compares each scope with all marks that were begun. */
function play(seed: number, passTime: (ms: number) => void): void {
  const random = new SeededRandom(seed);
  const marks = new LocalMarks(REMEMBERED_MS);
  const begun: BegunMark[] = [];
  for (let step = 0; step < 200; step += 1) {
    passTime(random.between(0, 40));
    const mark = begun[random.between(0, begun.length - 1)];
    if (mark === undefined || random.chance(0.5)) {
      const scope = random.pick(SCOPES);
      begun.push({ scope, until: performance.now() + MARK_MS, end: marks.begin(scope, MARK_MS), isEnded: false });
    } else {
      mark.end();
      mark.isEnded = true;
    }
    for (const scope of SCOPES) {
      const isMarked = begun.some((m) => m.scope === scope && !m.isEnded && m.until > performance.now());
      expect(marks.current(scope).isMarked, `${scope} in step ${step} of seed ${seed}`).toBe(isMarked);
    }
  }
}

describe('the marks of a process', () => {
  it('belong to one write each, however late or often one is ended', () => {
    const passTime = controlTime();
    for (let seed = 1; seed <= 50; seed += 1) play(seed, passTime);
  });

  it('are a new generation when they begin and when they end, once', () => {
    const marks = new LocalMarks(REMEMBERED_MS);
    const generations = [marks.current('one').generation];
    const end = marks.begin('one', MARK_MS);
    generations.push(marks.current('one').generation);
    end();
    generations.push(marks.current('one').generation);
    expect(new Set(generations).size).toBe(3);
    end();
    expect(marks.current('one').generation).toBe(generations.at(-1));
  });
});
