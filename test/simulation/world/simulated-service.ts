import { err, ok } from '../../../src/core/base/result.ts';
import { unavailable } from '../../../src/core/errors.ts';
import { type RequestResult, TIMED_OUT } from '../../../src/service/calls/service-call.ts';
import type { HttpRequest, SendHttp } from '../../../src/service/calls/service-client.ts';
import { encodeEnvelope } from '../../../src/service/v2/envelope.ts';
import type { SeededRandom } from './random.ts';
import { type ArticlesOptions, type ReceivedUpdate, ServiceArticles } from './service-articles.ts';

/** The fates of one call, with their frequencies. */
export interface FaultWeights {
  readonly none: number;
  /** The connection is not accepted. */
  readonly refused: number;
  /** The connection is cut before the service has done anything, or after it has done all. */
  readonly cutBefore: number;
  readonly cutAfter: number;
  /** The call takes longer than its client waits, and is applied after that. */
  readonly late: number;
  /** The service fails before it has done anything, or after it has done all. */
  readonly failBefore: number;
  readonly failAfter: number;
  /** The answer can't be read. */
  readonly garbled: number;
  /** The service refuses some items of a bulk update. */
  readonly itemsFail: number;
}

export interface ServiceOptions extends ArticlesOptions {
  readonly random: SeededRandom;
  /** Calls of all tokens in a minute, or in a window of another length. */
  readonly callsPerMinute: number;
  readonly windowMs?: number;
  /** True where each answer tells the limit and its reset. */
  readonly tellsReset?: boolean;
  /** Milliseconds that a call is on its way, at least and at most. */
  readonly latencyMs?: readonly [number, number];
  readonly faults: FaultWeights;
}

/** Every item that the service got, in the order of arrival. */
export interface ReceivedItem {
  readonly marker: string;
  readonly articleId: string;
  readonly languageCode: string;
  readonly at: number;
  /** When the gateway of this name handed it to its connection. */
  readonly begunAt: number;
  readonly gateway: string;
  /** `refused`: the whole call got a status that says that nothing was done. */
  fate: 'pending' | 'applied' | 'failed' | 'lost' | 'refused';
  /** The version that was to be published, for the job of this name. */
  readonly publication?: { readonly job: string; readonly version: number };
}

/** A read that has ended at its gateway. */
export interface EndedRead {
  /** The article; null for a list. */
  readonly articleId: string | null;
  readonly languageCode: string;
  readonly gateway: string;
  /** When its gateway began to connect, when its call began, and when its answer came. */
  readonly startedAt: number;
  readonly begunAt: number;
  readonly endedAt: number;
  /** True where no answer came, so that it is made again. */
  readonly hasFailed: boolean;
}

/** What the contract says may lie between the end of a read and its write. */
const WINDOW_MS = 1_000;

/** Reads of one chunk follow one another for so long at most. */
const MAX_JOINT_MS = 10_000;

interface Call {
  readonly request: HttpRequest;
  readonly resolve: (result: RequestResult) => void;
  readonly fault: keyof FaultWeights;
  readonly begunAt: number;
  readonly gateway: string;
}

const LATENCY_MS = [5, 900] as const;

const TOKEN_STATUS = { accepted: 200, unknown: 401, forbidden: 403 } as const;

/** A service whose every call may meet each fault. It counts calls as the real one does, by the minute. */
export class SimulatedService {
  readonly #options: ServiceOptions;
  readonly articles: ServiceArticles;
  readonly received: ReceivedItem[] = [];
  readonly reads: EndedRead[] = [];
  readonly statuses: number[] = [];
  /** The status of every token. */
  token: keyof typeof TOKEN_STATUS = 'accepted';
  /** Without faults from then on. */
  isHealthy = false;
  /** The calls that have come in, also those that were refused. */
  calls = 0;
  #window = { endsAt: 0, used: 0 };

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.articles = new ServiceArticles(options);
  }

  /** Sends a request of a gateway. */
  readonly send = (request: HttpRequest, gateway: string): ReturnType<SendHttp> =>
    new Promise((resolve) => {
      const { time, random, faults } = this.#options;
      const fault = this.isHealthy ? 'none' : random.pickWeighted(faults);
      const latencyMs = random.between(...(this.#options.latencyMs ?? LATENCY_MS));
      const call = { request, resolve, fault, begunAt: time.now, gateway };
      if (fault === 'refused') time.schedule(latencyMs, () => resolve(err({ kind: 'not-connected', error: REFUSED })));
      else time.schedule(latencyMs, () => this.#receive(call));
    });

  /** Notes that a read has ended at its gateway. */
  noteRead({ method, url }: HttpRequest, call: Omit<EndedRead, 'articleId' | 'languageCode' | 'endedAt'>): void {
    const { pathname, searchParams } = new URL(url);
    const [, , collection, id = '', language] = pathname.split('/');
    if (method !== 'GET') return;
    const isOfArticle = collection?.toLowerCase() === 'articles';
    const languageCode = (isOfArticle ? language : searchParams.get('langCode')) ?? 'en';
    const articleId = isOfArticle ? decodeURIComponent(id) : null;
    this.reads.push({ ...call, articleId, languageCode, endedAt: this.#options.time.now });
  }

  /**
   * True where a write may overwrite a change, as the contract allows: a read that ended at most a second before it was
   * begun before reads show the change. The text is in any language where none is named. Reads that followed one another
   * count as one where `isJoint`.
   */
  mayMiss(
    text: { articleId: string; languageCode?: string },
    changedAt: number,
    { write, isJoint }: { write: Pick<ReceivedItem, 'gateway' | 'begunAt'>; isJoint: boolean },
  ): boolean {
    const { lags } = this.articles;
    let earliest = write.begunAt;
    for (const {
      articleId,
      languageCode,
      gateway,
      startedAt,
      begunAt,
      endedAt,
      hasFailed,
    } of this.reads.toReversed()) {
      if (gateway !== write.gateway || endedAt > write.begunAt) continue;
      if (endedAt < earliest - WINDOW_MS) return false;
      if (
        !hasFailed &&
        isTextOf(text, articleId, languageCode) &&
        begunAt <= changedAt + (articleId === null ? lags.list : lags.article)
      )
        return true;
      if (isJoint && earliest > write.begunAt - MAX_JOINT_MS) earliest = Math.min(earliest, startedAt);
    }
    return false;
  }

  #receive(call: Call): void {
    this.calls += 1;
    const items = this.#receiveItems(call);
    const status = this.#refusal();
    if (status === null) {
      this.#meetFault(call, items);
    } else {
      for (const item of items) item.fate = 'refused';
      this.#answer(call, status, undefined);
    }
  }

  #meetFault(call: Call, items: readonly ReceivedItem[]): void {
    const { request, resolve, fault } = call;
    const { random } = this.#options;
    const isLost = fault === 'cutBefore' || fault === 'failBefore';
    if (isLost) for (const item of items) item.fate = 'lost';
    const data = isLost || fault === 'late' ? null : this.#carryOut(request, items, fault);
    if (fault === 'late') this.#answerLate(call, items);
    else if (fault === 'cutBefore' || fault === 'cutAfter') resolve(err(CUT));
    else if (fault === 'failBefore') this.#answer(call, random.pick([500, 502, 503]), undefined);
    else if (fault === 'failAfter') this.#answer(call, random.pick([500, 504]), undefined);
    else this.#answer(call, 200, fault === 'garbled' ? 'garbled' : envelopeOf(data));
  }

  #answerLate({ request, resolve }: Call, items: readonly ReceivedItem[]): void {
    const { time, random } = this.#options;
    const { timeoutMs } = request;
    time.schedule(timeoutMs, () => resolve(err(TIMED_OUT)));
    time.schedule(random.between(timeoutMs, 2 * timeoutMs), () => void this.#carryOut(request, items, 'late'));
  }

  #answer({ resolve }: Call, httpStatus: number, body: unknown): void {
    const { time, random } = this.#options;
    this.statuses.push(httpStatus);
    const result = ok({ httpStatus, headers: this.#limitHeaders(), body });
    time.schedule(random.between(1, 200), () => resolve(result));
  }

  /** The status of a call that the service takes no notice of; null for all others. */
  #refusal(): number | null {
    if (this.#callsLeft() <= 0) return 429;
    this.#window.used += 1;
    return this.token === 'accepted' ? null : TOKEN_STATUS[this.token];
  }

  /** Uses up calls of the window, as other clients of the token do. */
  useUp(calls: number): void {
    this.#window.used += Math.min(calls, Math.max(0, this.#callsLeft()));
  }

  #callsLeft(): number {
    const { time, callsPerMinute, windowMs = 60_000 } = this.#options;
    if (this.#window.endsAt <= time.now) this.#window = { endsAt: time.now + windowMs, used: 0 };
    return callsPerMinute - this.#window.used;
  }

  #limitHeaders(): Record<string, string> {
    const { time, callsPerMinute, tellsReset = false } = this.#options;
    const remaining = this.#callsLeft();
    const headers = { 'x-ratelimit-remaining': `${remaining}`, date: new Date(time.epochNow).toUTCString() };
    if (remaining > 0 && !tellsReset) return headers;
    const reset = `${Math.ceil((this.#window.endsAt - time.now) / 1_000)}`;
    return { ...headers, 'x-ratelimit-limit': `${callsPerMinute}`, 'x-ratelimit-reset': reset };
  }

  #receiveItems({ request: { method, url, body }, begunAt, gateway }: Call): ReceivedItem[] {
    if (method === 'GET' || body === undefined || isFork(url)) return [];
    const at = this.#options.time.now;
    const common = { at, begunAt, gateway, fate: 'pending' } as const;
    const items =
      method === 'PUT'
        ? this.articles
            .decodeItems(body)
            .map(({ title, ...named }): ReceivedItem => ({ ...common, marker: title, ...nameOf(named) }))
        : this.articles.decodePublications(body).map(({ articleId, version, job }): ReceivedItem => {
            const languageCode = new URL(url).pathname.split('/').at(-1) ?? '';
            const marker = `${job} publishes ${articleId} ${languageCode} v${version}`;
            return { ...common, marker, articleId, languageCode, publication: { job, version } };
          });
    this.received.push(...items);
    return items;
  }

  /** The data of the answer. A write is applied here. */
  #carryOut({ url, method, body }: HttpRequest, items: readonly ReceivedItem[], fault: keyof FaultWeights): unknown {
    if (method === 'GET') return this.articles.read(url);
    if (isFork(url)) {
      const draft = body && this.articles.fork(decodeURIComponent(url.split('/').at(-2) ?? ''), body);
      return { version_number: draft?.versionNumber ?? 0 };
    }
    if (method === 'POST') return this.#publish(items, fault);
    const updates = body === undefined ? [] : this.articles.decodeItems(body);
    return updates.map((update, index) => {
      const fails = fault === 'itemsFail' && this.#options.random.chance(0.3);
      const item = items[index];
      if (!fails) this.articles.apply(update);
      if (item) item.fate = fails ? 'failed' : 'applied';
      return { article_id: update.articleId, success: !fails, details: fails ? 'No.' : null };
    });
  }

  #publish(items: readonly ReceivedItem[], fault: keyof FaultWeights): unknown {
    return items.map((item) => {
      const { articleId, languageCode, publication } = item;
      const fails = fault === 'itemsFail' && this.#options.random.chance(0.3);
      if (!fails && publication) this.articles.publish(articleId, languageCode, publication.version);
      item.fate = fails ? 'failed' : 'applied';
      return { article_id: articleId, success: !fails, details: fails ? 'No.' : null };
    });
  }
}

const nameOf = ({ articleId, languageCode }: Pick<ReceivedUpdate, 'articleId' | 'languageCode'>) => ({
  articleId,
  languageCode,
});

/** True where a read of an article, or of a list where it is null, shows the text. */
const isTextOf = (
  text: { readonly articleId: string; readonly languageCode?: string },
  articleId: string | null,
  languageCode: string,
): boolean => (articleId ?? text.articleId) === text.articleId && (text.languageCode ?? languageCode) === languageCode;

const isFork = (url: string): boolean => url.endsWith('/fork');

const CUT = { kind: 'unknown', reason: 'the connection was cut.' } as const;

const REFUSED = unavailable('The service cannot be reached: the connection was refused.');

const envelopeOf = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(encodeEnvelope({ payload: { data }, success: true }, 'empty')));
