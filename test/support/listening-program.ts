import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface StartedProgram {
  /** The name of the program, for messages. */
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  /** The folder of its files, which is deleted with it. */
  readonly folder: string;
  /** Reads why it has ended. */
  readonly readReason: () => Promise<string>;
}

/** Waits until a program listens on its port. The result ends it. Throws with its reason where it ends by itself. */
export async function untilListening(program: StartedProgram): Promise<{ stop(): Promise<void> }> {
  const { name, child, port, folder, readReason } = program;
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) {
      const reason = await readReason();
      await stop();
      throw new Error(`${name} ended with ${child.exitCode}: ${reason}`);
    }
    await sleep(20);
  }
  return { stop };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
