import type { ChildProcess } from 'node:child_process';
import type { LoadJob, LoadResult } from '../rig/load-job.ts';

/** What a process under measurement tells of itself. */
export interface Usage {
  /** CPU time of all its threads since it began, user and system, in microseconds. */
  readonly cpuMicros: number;
  /** The most memory that it ever held, in bytes. */
  readonly peakRssBytes: number;
}

/** How long the event loop kept a timer waiting, in milliseconds. */
export interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What the bench asks its processes over IPC, and what they answer. */
export interface Questions {
  readonly usage: { readonly argument: null; readonly answer: Usage };
  readonly startLag: { readonly argument: null; readonly answer: null };
  readonly stopLag: { readonly argument: null; readonly answer: Lag };
  readonly startProfile: { readonly argument: null; readonly answer: null };
  /** The argument names the file that takes the V8 CPU profile. */
  readonly stopProfile: { readonly argument: string; readonly answer: null };
  /** Calls that the upstream has answered since it began. */
  readonly calls: { readonly argument: null; readonly answer: number };
  readonly load: { readonly argument: LoadJob; readonly answer: LoadResult };
}

type Name = keyof Questions;

interface Question<N extends Name> {
  readonly name: N;
  readonly argument: Questions[N]['argument'];
}

interface Answer<N extends Name> {
  readonly name: N;
  readonly answer: Questions[N]['answer'];
}

// Both ends are files of this package, so the name of a message tells its shape.
const isAnswer = <N extends Name>(message: unknown, name: N): message is Answer<N> => hasName(message, name);
const isQuestion = <N extends Name>(message: unknown, name: N): message is Question<N> => hasName(message, name);
const hasName = (message: unknown, name: Name) =>
  typeof message === 'object' && message !== null && 'name' in message && message.name === name;

/** Asks a child process. One question of a name at a time; fails where the child ends first. */
export function ask<N extends Name>(
  child: ChildProcess,
  name: N,
  argument: Questions[N]['argument'],
): Promise<Questions[N]['answer']> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (message: unknown) => {
      if (!isAnswer(message, name)) return;
      settle();
      resolve(message.answer);
    };
    const onExit = () => {
      settle();
      reject(new Error(`A process ended instead of answering "${name}".`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send({ name, argument } satisfies Question<N>);
  });
}

/** Answers questions of one name from the parent, and ends this process when the parent is gone. */
export function onQuestion<N extends Name>(
  name: N,
  answer: (argument: Questions[N]['argument']) => Questions[N]['answer'] | Promise<Questions[N]['answer']>,
): void {
  process.on('message', async (message: unknown) => {
    if (!isQuestion(message, name)) return;
    process.send?.({ name, answer: await answer(message.argument) } satisfies Answer<N>);
  });
  if (process.listenerCount('disconnect') === 0) process.once('disconnect', () => process.exit());
}
