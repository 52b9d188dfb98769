import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { unavailable } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import type { BatchLimits, Submission } from './batch.ts';
import { type Send, sendBatch } from './merged-call.ts';
import { WaitingLine } from './waiting-line.ts';

/** The bulk updates with one API token: one call is under way as long as the lane exists, and the others wait. */
export interface Lane {
  /** Fails at once where too many wait already. */
  join(submission: Submission): void;
}

export interface LaneOptions {
  readonly send: Send;
  readonly limits: BatchLimits;
  readonly maxWaitingItems: number;
  /** Whether even the first call is begun only when the event loop has read what else has come in. */
  readonly waitsATurn: boolean;
  /** Called once, when everything has been answered. Nobody may join after that. */
  readonly onIdle: () => void;
}

/**
 * Sends the first submission at once, and then what has gathered, call by call, until nothing waits. Before it gathers, the
 * event loop reads what else has come in: under load that makes a call of 24 small updates where it was one of 17.
 */
export function openLane(first: Submission, options: LaneOptions): Lane {
  const { send, limits, maxWaitingItems, waitsATurn, onIdle } = options;
  const line = new WaitingLine();

  const gather = async () => {
    await turnOfEventLoop();
    return line.take(limits);
  };
  const run = async () => {
    let batch = waitsATurn ? await gather() : [first];
    while (batch.length > 0) {
      await sendBatch(send, batch);
      batch = await gather();
    }
    line.close();
    onIdle();
  };

  if (waitsATurn) line.enter(first);
  void run();
  return {
    join(submission) {
      if (line.items >= maxWaitingItems) submission.resolve(err(unavailable(FULL)));
      else line.enter(submission);
    },
  };
}

const FULL = 'Too many article updates of this API token are waiting already; nothing was sent.';
