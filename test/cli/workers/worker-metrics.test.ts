import cluster from 'node:cluster';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { collectWorkerMetrics } from '../../../src/cli/workers/worker-metrics.ts';

/** A worker that ends once its answer is sent, or one that never answers. */
const WORKER = `
require('node:http').createServer().listen(0, '127.0.0.1');
process.on('message', () => process.env.ANSWERS && process.send({ metrics: [] }, () => process.exit()));
`;

it('a worker that ends after its answer, while another one is waited for, is left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-metrics-'));
  const exec = join(folder, 'worker.cjs');
  await writeFile(exec, WORKER);
  const { settings } = cluster;
  cluster.setupPrimary({ exec, args: [], execArgv: [] });
  const ended: number[] = [];
  const merged: (readonly number[])[] = [];
  const collect = collectWorkerMetrics({
    mergeWorkers: (answers) => {
      merged.push([...answers.keys()]);
      return 'a page';
    },
    onWorkerEnd: (worker) => ended.push(worker),
  });
  const [answering, silent] = [cluster.fork({ ANSWERS: 'once' }), cluster.fork()];
  onTestFinished(async () => {
    silent.process.kill('SIGKILL');
    cluster.removeAllListeners('listening').removeAllListeners('exit');
    cluster.setupPrimary(settings);
    await rm(folder, { recursive: true });
  });
  await Promise.all([answering, silent].map((worker) => new Promise((resolve) => worker.once('listening', resolve))));
  expect(await collect()).toBe('a page');
  expect({ ended, merged }).toEqual({ ended: [answering.id], merged: [[silent.id]] });
});
