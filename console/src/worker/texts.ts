import type { DiffLine } from './text-diff.ts';

interface HtmlRequest {
  readonly kind: 'markdown' | 'html';
  readonly text: string;
}

interface DiffRequest {
  readonly kind: 'diff';
  readonly from: string;
  readonly to: string;
}

export type Request = HtmlRequest | DiffRequest;

/** What the worker makes of a request. */
export type Made<Of extends Request> = Of extends DiffRequest ? readonly DiffLine[] : string;

/** The longest time of making one. */
const LONGEST_MS = 1_000;

/** Makes safe HTML and comparisons of texts in a worker. */
export interface Texts {
  /** Resolves to null where the text takes too long, and where nobody wants it any more when it is its turn. */
  make<Of extends Request>(request: Of, isWanted: () => boolean): Promise<Made<Of> | null>;
}

interface Running {
  readonly worker: Worker;
  /** Resolves once the worker is loaded, which takes no time from its first request. */
  readonly ready: Promise<unknown>;
}

const answerOf = (worker: Worker): Promise<unknown> =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  });

export function createTexts(): Texts {
  let running: Running | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const start = (): Running => {
    const address = document.querySelector('meta[name="worker"]')?.getAttribute('content') ?? '';
    const worker = new Worker(new URL(address, document.baseURI), { type: 'module' });
    return { worker, ready: answerOf(worker) };
  };

  const run = async (request: Request): Promise<unknown> => {
    running ??= start();
    const { worker, ready } = running;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await ready;
      const tooLong = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('The text takes too long.')), LONGEST_MS);
      });
      const answer = answerOf(worker);
      worker.postMessage(request);
      return await Promise.race([answer, tooLong]);
    } catch {
      worker.terminate();
      running = null;
      return null;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    make<Of extends Request>(request: Of, isWanted: () => boolean) {
      const made = turn.then(() => (isWanted() ? run(request) : null));
      turn = made;
      return made as Promise<Made<Of> | null>;
    },
  };
}
