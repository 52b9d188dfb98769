import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { timeLeft } from '../../domain/caller.ts';
import { unavailable } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import { type BatchLimits, nextBatch, type Submission } from './batch.ts';
import { type Send, sendBatch } from './merged-call.ts';

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
  const waiting = new Map<Submission, NodeJS.Timeout>();
  let waitingItems = 0;

  const enter = (submission: Submission) => {
    waiting.set(submission, setTimeout(giveUp, timeLeft(submission.caller), submission));
    waitingItems += submission.updates.length;
  };
  const leave = (submission: Submission) => {
    clearTimeout(waiting.get(submission));
    waiting.delete(submission);
    waitingItems -= submission.updates.length;
  };
  const giveUp = (submission: Submission) => {
    leave(submission);
    submission.resolve(err(unavailable(TOO_LATE)));
  };
  /** A timer may be late, and nothing is begun for a caller whose time is up. */
  function* waitingInTime() {
    for (const submission of waiting.keys()) {
      if (timeLeft(submission.caller) > 0) yield submission;
      else giveUp(submission);
    }
  }
  const gather = async () => {
    await turnOfEventLoop();
    const batch = nextBatch(waitingInTime(), limits);
    for (const submission of batch) leave(submission);
    return batch;
  };
  const run = async () => {
    let batch = waitsATurn ? await gather() : [first];
    while (batch.length > 0) {
      await sendBatch(send, batch);
      batch = await gather();
    }
    onIdle();
  };

  if (waitsATurn) enter(first);
  void run();
  return {
    join(submission) {
      if (waitingItems >= maxWaitingItems) submission.resolve(err(unavailable(FULL)));
      else enter(submission);
    },
  };
}

const FULL = 'Too many article updates of this API token are waiting already; nothing was sent.';

const TOO_LATE = 'Other article updates of this API token took all the time there was; nothing was sent.';
