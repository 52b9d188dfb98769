import { describe, expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../../../src/core/base/log.ts';
import { StateUnavailable } from '../../../../src/core/state-unavailable.ts';
import { openSharedState, type SharedStateOptions } from '../../../../src/jobs/state/shared/open-shared-state.ts';
import { databaseToDrop } from '../../../store/store.ts';
import { openTcpProxy } from '../../../support/tcp-proxy.ts';

/** A proxy before PostgreSQL, and the URL through it. */
async function openProxy(url: string) {
  const { hostname: host, port } = new URL(url);
  const proxy = await openTcpProxy({ host, port: Number(port) });
  onTestFinished(() => proxy.close());
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${proxy.port}`;
  return { proxy, proxiedUrl: proxied.href };
}

const open = (url: string, options: Partial<SharedStateOptions> = {}) =>
  openSharedState({ url, setting: 'STATE_URL', ...options });

describe('a gateway that is cut off from PostgreSQL', () => {
  it('fails at once until it is back, and the others go on', async () => {
    const { url } = await databaseToDrop();
    const { proxy, proxiedUrl } = await openProxy(url);
    const lines: string[] = [];
    const log: Log = (level, message) => void lines.push(`${level} ${message}`);
    const [cutOff, other] = [await open(proxiedUrl, { log }), await open(url)];
    const lock = await cutOff.groupLocks.acquire('group', 60_000);
    await lock?.noteWrite(600_000);
    const [before] = await other.invalidations.check(['scope']);

    proxy.partition(true);
    await expect(cutOff.invalidations.begin('scope', 600_000)).rejects.toThrow(StateUnavailable);
    expect(cutOff.problem()).toContain('cannot be read or written');
    await expect(cutOff.budgets.update('token', () => ({ budget: 'x', result: 1 }))).rejects.toThrow(StateUnavailable);
    await expect(cutOff.invalidations.check(['scope'])).rejects.toThrow(StateUnavailable);
    expect(await other.invalidations.check(['scope'])).toEqual([before]);
    await expect.poll(() => other.gatewayCount()).toBe(1);
    await expect(lock?.noteWrite(1)).rejects.toThrow(StateUnavailable);
    const taken = await other.groupLocks.acquire('group', 60_000);
    expect(taken?.settlesInMs).toBeGreaterThan(500_000);

    proxy.partition(false);
    await expect.poll(() => cutOff.problem()).toBeNull();
    await expect(lock?.noteWrite(1)).rejects.toThrow(StateUnavailable);
    await Promise.all([cutOff.close(), other.close()]);
    expect(lines.filter((line) => line.includes('the shared state'))).toEqual([
      'error the shared state is unavailable',
      'info the shared state is available again',
    ]);
  });

  it('within a transaction costs the others no failure', async () => {
    const { url } = await databaseToDrop();
    const { proxy, proxiedUrl } = await openProxy(url);
    const [cutOff, other] = [await open(proxiedUrl), await open(url)];
    const use = (name: string) => (budget: string | null) => ({ budget: name, result: budget });
    await cutOff.budgets.update('token', use('before'));
    const begun = Promise.withResolvers<void>();
    const lost = cutOff.budgets.update('token', (budget) => {
      proxy.partition(true);
      begun.resolve();
      return use('lost')(budget);
    });
    const failed = expect(lost).rejects.toThrow(StateUnavailable);
    await begun.promise;
    expect(await other.budgets.update('token', use('other'))).toBe('before');
    expect(other.problem()).toBeNull();
    await failed;
    proxy.partition(false);
    await Promise.all([cutOff.close(), other.close()]);
  });
});
