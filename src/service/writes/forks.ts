import { LRUCache } from 'lru-cache';
import {
  type ArticleOutcome,
  completedItems,
  type NotAttempted,
  STOPPED_AFTER_UNKNOWN,
  type UnsuccessfulOutcome,
} from '../../core/articles/article-outcomes.ts';
import type { ArticleVersion } from '../../core/articles/articles.ts';
import type { UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { type ForkedOutcome, type ForkTarget, forked, forkKeyOf, type LostFork } from '../../core/articles/forks.ts';
import type { Backend } from '../../core/backend.ts';
import { MAX_ARTICLE_LAG_MS, MAX_REMEMBERED_CREATES } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { mapOk, ok } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readArticleVersions } from '../reads/articles.ts';
import { RequestCache, type RequestCacheOptions } from '../reads/request-cache.ts';
import { decodeForkedVersion, encodeFork } from '../v2/forks.ts';
import { looksWithin } from './looks.ts';
import { readChunkResponse } from './send-chunks.ts';
import { createServiceClock, TOLERANCE_MS } from './service-clock.ts';
import { runLoggedWrite, sendWrite, type WriteCaller, type WriteResponse } from './write-response.ts';

export interface ForkOptions extends Pick<RequestCacheOptions, 'requestReads' | 'maxCalls' | 'ticks'> {
  readonly upstream: Upstream;
  readonly log: Log;
  /** The pauses before a draft with an unknown outcome is looked for again. */
  readonly lookPausesMs: readonly number[];
}

/** The result of one fork: the outcome has the draft, or says why there is none. */
export interface ForkResult {
  readonly outcome: ForkedOutcome | (UnsuccessfulOutcome & Pick<ArticleOutcome, 'articleId'>);
  /** The outcome of all later items where nothing more may be sent. */
  readonly laterOutcome: NotAttempted | null;
}

/** The time of the request that a further look needs, in milliseconds. */
const LOOK_MS = 1_000;

const FORK_UNKNOWN = 'Whether a draft of the published version was made is unknown, and the item was not sent. ';

/** The latest draft of each text that this process has made, so that a read which does not show one yet leads to no second one. */
class MadeDrafts {
  readonly #drafts = new LRUCache<string, { readonly versionNumber: number; readonly madeAt: number }>({
    max: MAX_REMEMBERED_CREATES,
  });

  note(target: UpdateTarget, versionNumber: number): void {
    this.#drafts.set(textOf(target), { versionNumber, madeAt: performance.now() });
  }

  /** The draft that reads may not show yet; null where there is none. */
  find(target: UpdateTarget): number | null {
    const draft = this.#drafts.peek(textOf(target));
    return draft !== undefined && performance.now() - draft.madeAt < MAX_ARTICLE_LAG_MS ? draft.versionNumber : null;
  }

  /** True for a draft that belongs to another fork of this process. */
  isOfOther(target: UpdateTarget, versionNumber: number): boolean {
    return versionNumber <= (this.#drafts.peek(textOf(target))?.versionNumber ?? 0);
  }
}

const textOf = ({ articleId, languageCode }: UpdateTarget): string => forkKeyOf({ articleId, languageCode });

/**
 * Copies versions as new drafts: see docs/contract.md, "Published articles". A fork is sent again only where it was
 * surely not applied. One whose outcome is unknown is looked for.
 */
export class Forks implements Pick<Backend, 'forkArticles' | 'lookForForks'> {
  readonly drafts = new MadeDrafts();
  readonly #options: ForkOptions;

  constructor(options: ForkOptions) {
    this.#options = options;
  }

  readonly forkArticles: Backend['forkArticles'] = (caller, { items, userId }) =>
    runLoggedWrite('forkArticles', { ...this.#options, caller }, async (writer) => {
      const outcomes: ArticleOutcome[] = [];
      let later: NotAttempted | null = null;
      for (const target of items) {
        const result: ForkResult =
          later === null ? await this.fork(writer, target, userId) : stoppedFork(target, later);
        outcomes.push(result.outcome);
        later = result.laterOutcome;
      }
      return ok(completedItems(outcomes));
    });

  async fork(writer: WriteCaller, target: ForkTarget, userId: string): Promise<ForkResult> {
    const { articleId } = target;
    const { staleReads } = WRITES.forkArticles;
    const path = ['Articles', { id: articleId }, 'fork'] as const;
    const [body, sent] = [encodeFork(target, { userId }), { at: 0 }];
    const response = await sendWrite(writer, { kind: 'write', staleReads, path, body, sent });
    const draft = draftIn(response, target);
    if (draft !== null) {
      this.drafts.note(target, draft);
      return { outcome: forked(articleId, draft), laterOutcome: null };
    }
    const { outcomes, laterOutcome } = readChunkResponse(response, [target]);
    const [outcome] = outcomes;
    if (outcome !== undefined && outcome.kind !== 'unknown' && outcome.kind !== 'updated')
      return { outcome, laterOutcome };
    const found = await this.#look(writer.caller, target, sent.at);
    if (found !== null) return { outcome: forked(articleId, found, 'READ_BACK'), laterOutcome: null };
    const details = FORK_UNKNOWN + (outcome?.details ?? '');
    return { outcome: { kind: 'unknown', articleId, details }, laterOutcome: STOPPED_AFTER_UNKNOWN };
  }

  /** Looks for the draft several times while the request lasts, since lists may be late. */
  async #look(caller: Caller, target: ForkTarget, sentAt: number): Promise<number | null> {
    for await (const _ of looksWithin(caller, this.#options.lookPausesMs, LOOK_MS)) {
      const [found] = await this.lookForForks(caller, [{ ...target, ageMs: performance.now() - sentAt }]);
      if (found?.ok && found.value !== null) return found.value;
    }
    return null;
  }

  readonly lookForForks: Backend['lookForForks'] = (caller, forks) => {
    const clock = createServiceClock(this.#options.upstream);
    const cache = new RequestCache({ ...this.#options, upstream: clock, readCache: null }, caller);
    return Promise.all(
      forks.map(async (fork) => {
        const begunAt = performance.now() - fork.ageMs;
        const versions = await readArticleVersions(cache, fork);
        return mapOk(versions, (found) => this.#claim(fork, found, clock.latestAt(begunAt) - TOLERANCE_MS));
      }),
    );
  };

  /** Takes the only new draft of the version. `earliest` is in milliseconds since 1970. */
  #claim(fork: LostFork, versions: readonly ArticleVersion[], earliest: number): number | null {
    const [draft, ...others] = versions.filter(
      ({ versionNumber, status, baseVersionNumber, createdAt }) =>
        status === 'draft' &&
        baseVersionNumber === fork.versionNumber &&
        createdAt !== null &&
        createdAt.getTime() >= earliest &&
        !this.drafts.isOfOther(fork, versionNumber),
    );
    if (draft === undefined || others.length > 0) return null;
    this.drafts.note(fork, draft.versionNumber);
    return draft.versionNumber;
  }
}

/** The new version in the answer; null where the answer has none. */
const draftIn = (response: WriteResponse, target: ForkTarget): number | null =>
  response.kind === 'accepted' ? decodeForkedVersion(response.envelope.payload, target) : null;

/** The result of a fork that is not sent because of an earlier one. */
export const stoppedFork = ({ articleId }: ForkTarget, later: NotAttempted): ForkResult => ({
  outcome: { ...later, articleId },
  laterOutcome: later,
});
