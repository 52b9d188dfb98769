import type { safeHtmlOf } from './safe-html.ts';
import type { diffTexts, rebased, withoutPlace } from './text-diff.ts';

/** What the worker makes, by the kinds of requests. */
interface Makers {
  readonly diff: typeof diffTexts;
  readonly without: typeof withoutPlace;
  readonly rebase: typeof rebased;
  readonly html: typeof safeHtmlOf;
}

export type Request = { [Kind in keyof Makers]: { readonly kind: Kind } & Parameters<Makers[Kind]>[0] }[keyof Makers];

export type Made<Of extends Request> = ReturnType<Makers[Of['kind']]>;

const LONGEST_MS = 1_000;

/** The next answer, which may take so long. */
const answerOf = (worker: Worker, longestMs?: number): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (longestMs) setTimeout(() => reject(new Error('The text takes too long.')), longestMs);
    worker.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  });

/** Makes safe HTML and comparisons of texts in a worker. */
export function createTexts() {
  let worker: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const run = async (request: Request): Promise<unknown> => {
    try {
      if (worker === null) {
        const address = document.querySelector('meta[name="worker"]')?.getAttribute('content') ?? '';
        worker = new Worker(new URL(address, document.baseURI), { type: 'module' });
        // It says when it is loaded, which takes no time from its first request.
        await answerOf(worker);
      }
      const answer = answerOf(worker, LONGEST_MS);
      worker.postMessage(request);
      return await answer;
    } catch {
      worker?.terminate();
      worker = null;
      return null;
    }
  };

  return {
    /** Resolves to null where the text takes too long, where both texts of a rebase change the same lines, and where nobody wants it any more when it is its turn. */
    make<Of extends Request>(request: Of, isWanted: () => boolean) {
      const made = turn.then(() => (isWanted() ? run(request) : null));
      turn = made;
      return made as Promise<Made<Of> | null>;
    },
  };
}

export type Texts = ReturnType<typeof createTexts>;
