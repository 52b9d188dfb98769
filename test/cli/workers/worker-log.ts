import { expect } from 'vitest';
import type { RunningGateway } from '../../support/process.ts';

interface Line {
  readonly message?: string;
  readonly worker?: number;
  readonly reason?: string;
}

export const linesOf = (log: string): readonly Line[] =>
  log.split('\n').flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));

/** The process IDs of all workers that have listened. */
export const listening = (gateway: RunningGateway): readonly number[] =>
  linesOf(gateway.log()).flatMap(({ message, worker }) => (message === 'listening' && worker ? [worker] : []));

export const untilListening = (gateway: RunningGateway, workers: number) =>
  expect.poll(() => listening(gateway)).toHaveLength(workers);
