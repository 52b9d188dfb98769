import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SharedState } from '../../../../src/core/shared-state.ts';
import { StateUnavailable } from '../../../../src/core/state-unavailable.ts';

/** A new state that several gateways share. */
export interface SharedScene {
  open(): Promise<SharedState>;
  close(): Promise<void>;
}

const add = (text: string) => (budget: string | null) => {
  const changed = (budget ?? '') + text;
  return { budget: changed, result: changed };
};

/** The behaviour of every shared state: over PostgreSQL, and of the model of other tests. */
export function describeSharedState(name: string, openScene: () => Promise<SharedScene>): void {
  describe(`the shared state over ${name}`, () => {
    let scene: SharedScene;
    let one: SharedState;
    let other: SharedState;

    beforeEach(async () => {
      scene = await openScene();
      one = await scene.open();
      other = await scene.open();
    });
    afterEach(async () => {
      await Promise.all([one.close(), other.close()]);
      await scene.close();
    });

    it('changes the budget of a token one after another', async () => {
      const times = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other));
      const results = await Promise.all(times.map((gateway) => gateway.budgets.update('token', add('x'))));
      expect(results.map((text) => text.length).sort((a, b) => a - b)).toEqual(times.map((_, n) => n + 1));
      expect(await other.budgets.update('another', add('y'))).toBe('y');
    });

    it('leaves a budget that is not changed, and tells the time', async () => {
      const look = (budget: string | null, now: number) => ({ budget: null, result: { budget, now } });
      expect(await one.budgets.update('token', look)).toMatchObject({ budget: null });
      await one.budgets.update('token', add('kept'));
      const { budget, now } = await other.budgets.update('token', look);
      expect(budget).toBe('kept');
      expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
    });

    it('gives the lock of a group to one at a time, also within a gateway', async () => {
      const lock = await one.groupLocks.acquire('group', 60_000);
      expect(lock).toMatchObject({ settlesInMs: 0 });
      expect(await one.groupLocks.acquire('group', 0)).toBeNull();
      expect(await other.groupLocks.acquire('group', 50)).toBeNull();
      const free = await other.groupLocks.acquire('another group', 60_000);
      const waiting = other.groupLocks.acquire('group', 60_000);
      await lock?.release();
      await (await waiting)?.release();
      await free?.release();
      expect(await one.groupLocks.acquire('group', 60_000)).not.toBeNull();
    });

    it('gives the lock of a group to another gateway, however many wait for it here', { tags: 'long' }, async () => {
      await expect.poll(() => one.gatewayCount()).toBe(2);
      const first = await one.groupLocks.acquire('group', 60_000);
      const waiting = other.groupLocks.acquire('group', 60_000);
      let isTaken = false;
      const taken = waiting.then((lock) => {
        isTaken = lock !== null;
        return lock?.release();
      });
      await first?.release();
      let turns = 0;
      for (; !isTaken && turns < 60; turns += 1) {
        const lock = await one.groupLocks.acquire('group', 60_000);
        await sleep(100);
        await lock?.release();
      }
      expect(turns).toBeLessThan(60);
      await taken;
    });

    it('tells the next holder how long the write of an earlier one may still take effect', async () => {
      const first = await one.groupLocks.acquire('group', 60_000);
      await first?.noteWrite(600_000);
      await first?.release();
      const second = await other.groupLocks.acquire('group', 60_000);
      expect(second?.settlesInMs).toBeGreaterThan(500_000);
      await second?.noteWrite(1_200_000);
      await second?.endWrite();
      await second?.release();
      expect(await one.groupLocks.acquire('group', 60_000)).toMatchObject({ settlesInMs: 0 });
    });

    it('shows a mark to all, and each beginning and end as a new generation', async () => {
      const [before] = await other.invalidations.check(['scope']);
      const mark = await one.invalidations.begin('scope', 600_000);
      const [during, untouched] = await other.invalidations.check(['scope', 'another']);
      await mark.end();
      const [after] = await one.invalidations.check(['scope']);
      expect([before?.isInvalid, during?.isInvalid, after?.isInvalid]).toEqual([false, true, false]);
      expect(untouched).toEqual({ generation: before?.generation, isInvalid: false });
      expect(new Set([before, during, after].map((mark) => mark?.generation)).size).toBe(3);
      expect(await other.invalidations.check(['scope', 'scope'])).toEqual([after, after]);
    });

    it('keeps a scope marked until its last mark has ended, by itself where need be', async () => {
      const [long, short] = [
        await one.invalidations.begin('scope', 600_000),
        await other.invalidations.begin('scope', 1),
      ];
      await short.end();
      expect(await other.invalidations.check(['scope'])).toMatchObject([{ isInvalid: true }]);
      await long.end();
      await one.invalidations.begin('scope', 1);
      await expect.poll(() => other.invalidations.check(['scope'])).toMatchObject([{ isInvalid: false }]);
    });

    it('ends one mark by its end, however late or often that comes', async () => {
      const earlier = await one.invalidations.begin('scope', 1);
      await expect.poll(() => other.invalidations.check(['scope'])).toMatchObject([{ isInvalid: false }]);
      const later = await one.invalidations.begin('scope', 600_000);
      const [before] = await other.invalidations.check(['scope']);
      await earlier.end();
      const [after] = await other.invalidations.check(['scope']);
      // A read between the time of the mark and its end may show what was before the write.
      expect(after?.generation).not.toBe(before?.generation);
      await earlier.end();
      expect(await other.invalidations.check(['scope'])).toMatchObject([{ isInvalid: true }]);
      await later.end();
      expect(await other.invalidations.check(['scope'])).toMatchObject([{ isInvalid: false }]);
    });

    it('shows a check what was committed before it, whatever other checks are under way', async () => {
      for (let n = 0; n < 20; n += 1) {
        const early = other.invalidations.check(['scope']);
        const mark = await one.invalidations.begin('scope', 600_000);
        const late = other.invalidations.check(['scope']);
        expect(await late).toMatchObject([{ isInvalid: true }]);
        await early;
        await mark.end();
      }
    });

    it('shows whether another gateway has announced an equal create', async () => {
      const announced = await one.creations.announce(['alone', 'both', 'both', 'own']);
      await one.creations.announce(['own']);
      const others = await other.creations.announce(['both', 'later']);
      const ask = (gateway: SharedState, id: string, places: readonly string[]) =>
        Promise.all(places.map((place) => gateway.creations.isOnlyOne(id, place)));
      expect(await ask(one, announced, ['alone', 'both', 'own'])).toEqual([true, false, true]);
      expect(await ask(other, others, ['both', 'later'])).toEqual([false, true]);
      await one.creations.announce(['later']);
      expect(await ask(other, others, ['later'])).toEqual([false]);
      await one.creations.withdraw(announced);
      expect(await ask(other, others, ['both'])).toEqual([true]);
      // What was not announced proves nothing, nor what was withdrawn.
      expect(await ask(one, announced, ['never'])).toEqual([false]);
      expect(await ask(one, crypto.randomUUID(), ['alone'])).toEqual([false]);
    });

    it('counts the gateways that have not left', { tags: 'long' }, async () => {
      await expect.poll(() => one.gatewayCount()).toBe(2);
      const third = await scene.open();
      await expect.poll(() => one.gatewayCount()).toBe(3);
      await third.close();
      await expect.poll(() => one.gatewayCount()).toBe(2);
      expect(one.problem()).toBeNull();
    });

    it('rejects once it is closed', async () => {
      const lock = await one.groupLocks.acquire('group', 60_000);
      await one.close();
      await expect(one.budgets.update('token', add('x'))).rejects.toThrow(StateUnavailable);
      await expect(one.invalidations.check(['scope'])).rejects.toThrow(StateUnavailable);
      await expect(one.invalidations.begin('scope', 1)).rejects.toThrow(StateUnavailable);
      await expect(one.creations.announce(['place'])).rejects.toThrow(StateUnavailable);
      await expect(one.creations.isOnlyOne('id', 'place')).rejects.toThrow(StateUnavailable);
      await expect(one.groupLocks.acquire('group', 0)).rejects.toThrow(StateUnavailable);
      await expect(lock?.noteWrite(1)).rejects.toThrow(StateUnavailable);
      await lock?.release();
    });
  });
}
