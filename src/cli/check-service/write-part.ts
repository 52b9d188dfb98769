import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { Findings } from './assumptions.ts';
import { ARTICLE_QUERY } from './read-part.ts';
import { objectsIn, projectVersionsIn, type ServiceAnswer, type ServiceCalls } from './service-calls.ts';

export interface WriteOptions {
  readonly categoryId: string;
  /** The team account in whose name it is made. */
  readonly userId: string;
  /** Between two reads that wait for a write to show. */
  readonly pauseMs: number;
}

/** What became of the article that was made. */
export interface WriteChecks {
  readonly findings: Findings;
  readonly articleId: string;
  /** False where it may be public or shown, which people must see to. */
  readonly isPutAway: boolean;
}

/** The reads that wait for a write to show. */
const MAX_READS = 12;

/** White space at the ends, and HTML that editors write in other ways. */
const textOf = (step: number): string => `  <p>check-service, text ${step}<br>with a break</p>  `;

const TITLE = 'check-service: to be deleted';
const ORDER = 7;

/** Checks what writes do, by one draft that is hidden before anything else. The error says why nothing was made. */
export async function checkWrites(calls: ServiceCalls, options: WriteOptions): Promise<Result<WriteChecks, string>> {
  const place = await findPlace(calls, options.categoryId);
  if (!place.ok) return place;
  const { projectVersionId } = place.value;
  const created = await calls.write('POST', ['Articles'], {
    title: TITLE,
    content: textOf(0),
    content_type: 1,
    category_id: options.categoryId,
    project_version_id: projectVersionId,
    user_id: options.userId,
  });
  const id = isObject(created.payload) ? created.payload['id'] : null;
  if (typeof id !== 'string')
    return err(`the draft could not be made (HTTP ${created.httpStatus}). Look for "${TITLE}" before you try again.`);
  const article = new CheckedArticle(calls, { ...options, ...place.value, articleId: id });
  if (await article.hide()) await article.check();
  const isPutAway = await article.putAway();
  return ok({ findings: article.findings, articleId: id, isPutAway });
}

interface Place {
  readonly projectVersionId: string;
  readonly defaultCode: string;
  /** Absent where the project version has one language. */
  readonly otherCode: string | undefined;
}

async function findPlace(calls: ServiceCalls, categoryId: string): Promise<Result<Place, string>> {
  const category = (await calls.read(['Categories', { id: categoryId }])).payload;
  const projectVersionId = isObject(category) ? category['project_version_id'] : null;
  if (typeof projectVersionId !== 'string') return err(`there is no category ${categoryId} that can be read.`);
  const versions = projectVersionsIn(await calls.read(['ProjectVersions']));
  if (!versions.ok) return versions;
  const version = versions.value.find((one) => idKeyOf(one.projectVersionId) === idKeyOf(projectVersionId));
  const byDefault = version?.languages.toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault)) ?? [];
  const [defaultCode, otherCode] = byDefault.map(({ code }) => code);
  return defaultCode === undefined
    ? err('the project version of the category has no language that can be read.')
    : ok({ projectVersionId, defaultCode, otherCode });
}

type ArticleOptions = WriteOptions & Place & { readonly articleId: string };

/** The draft, and what it has shown. */
class CheckedArticle {
  readonly #calls: ServiceCalls;
  readonly #options: ArticleOptions;
  findings: Findings = {};
  /** The most reads that a write took to show. */
  #reads = 1;

  constructor(calls: ServiceCalls, options: ArticleOptions) {
    this.#calls = calls;
    this.#options = options;
  }

  /** Hides the draft; true once reads show it hidden. Nothing else is tried otherwise. */
  async hide(): Promise<boolean> {
    const answer = await this.#update({ hidden: true, order: ORDER });
    return isUpdated(answer) && (await this.#readUntil(({ hidden }) => hidden === true)) !== null;
  }

  async check(): Promise<void> {
    const before = await this.#read();
    this.#note({ ids: before?.['id'] === this.#options.articleId ? 'expected' : 'changed' });
    if (!(await this.#checkLeftOut(before))) return;
    await this.#checkFailingItem();
    if (await this.#checkPublishing()) {
      await this.#checkPublishedUpdate();
      await this.#checkFork();
      await this.#checkUnpublishing();
    }
    await this.#checkNewLanguage();
    this.#note({ lag: this.findings.lag ?? (this.#reads === 1 ? 'expected' : 'later') });
  }

  /** Unpublishes and hides the article, and reads that back. */
  async putAway(): Promise<boolean> {
    const found = await this.#read();
    if (found === null) return false;
    if (publicVersionOf(found) > 0) await this.#unpublish(publicVersionOf(found));
    await this.#update({ hidden: true });
    const isAway = (read: JsonObject) => read['hidden'] === true && publicVersionOf(read) === 0;
    return (await this.#readUntil(isAway)) !== null;
  }

  /** An update without `hidden` and `order`. True where the draft is hidden, or hidden again, after it. */
  async #checkLeftOut(before: JsonObject | null): Promise<boolean> {
    const answer = await this.#update({ content: textOf(1), hidden: undefined });
    const after = isUpdated(answer) ? await this.#readUntil(hasText(1)) : null;
    if (after === null) return this.hide();
    this.#note({
      hidden: after['hidden'] === true ? 'expected' : 'reset',
      order: after['order'] === ORDER ? 'expected' : 'reset',
      texts: formOf(bodyOf(after), textOf(1)),
      modifiedAt: after['modified_at'] === before?.['modified_at'] ? 'kept' : 'expected',
    });
    return after['hidden'] === true || this.hide();
  }

  async #checkFailingItem(): Promise<void> {
    const unknown = { article_id: '00000000-0000-4000-8000-000000000000', title: TITLE, hidden: true };
    const answer = await this.#calls.write(
      'PUT',
      ['Articles', 'bulkupdate'],
      [this.#item({ content: textOf(2) }), unknown],
    );
    const [, entry] = objectsIn(answer.payload);
    if (answer.httpStatus === 400) this.#note({ failingItem: 'refused' });
    else if (entry?.['success'] === true) this.#note({ failingItem: 'accepted' });
    else if (entry !== undefined)
      this.#note({
        failingItem: isObject(answer.body) && answer.body['success'] === false ? 'unsuccessful' : 'expected',
      });
    // A refusal may have applied the other item or not, so that no read need show it.
    if (isUpdated(answer)) await this.#readUntil(hasText(2));
  }

  /** Publishes the draft while it is hidden. True where it is public and hidden then. */
  async #checkPublishing(): Promise<boolean> {
    const found = await this.#read();
    if (found?.['hidden'] !== true) return false;
    const number = Number(found['latest_version'] ?? 1);
    const { articleId, userId, defaultCode } = this.#options;
    const item = { article_id: articleId, user_id: userId, version_number: number };
    const answer = await this.#calls.write('POST', ['Articles', 'bulkpublish', { id: defaultCode }], [item]);
    if (answer.httpStatus !== 200) {
      this.#note({ publish: 'refused' });
      return false;
    }
    this.#note({ publishAnswer: Array.isArray(answer.payload) ? 'expected' : 'object' });
    const after = await this.#readUntil((read) => publicVersionOf(read) === number);
    if (after === null) this.#note({ publish: 'unseen' });
    else this.#note({ publish: after['hidden'] === true ? 'expected' : 'shown' });
    return after?.['hidden'] === true;
  }

  async #checkPublishedUpdate(): Promise<void> {
    const answer = await this.#update({ content: textOf(3) });
    if (!isUpdated(answer)) {
      this.#note({ publishedUpdate: 'refused' });
      return;
    }
    const after = await this.#readUntil(hasText(3));
    if (after === null) return;
    const isNew = Number(after['version_number']) > publicVersionOf(after);
    this.#note({ publishedUpdate: isNew ? 'version' : 'expected' });
  }

  async #checkFork(): Promise<void> {
    const before = await this.#read();
    if (before === null) return;
    const { articleId, userId, defaultCode } = this.#options;
    const number = publicVersionOf(before);
    const answer = await this.#calls.write('PUT', ['Articles', { id: articleId }, 'fork'], {
      version_number: number,
      user_id: userId,
      lang_code: defaultCode,
    });
    const made = answer.payload;
    if (!isObject(made)) return this.#note({ fork: 'refused' });
    const isNew = Number(made['version_number']) > Number(before['latest_version']);
    const isExpected = isNew && made['base_version'] === number && made['status'] === 0;
    this.#note({ fork: isExpected ? 'expected' : 'other' });
    await this.#readUntil((read) => read['latest_version'] === made['version_number']);
  }

  async #checkUnpublishing(): Promise<void> {
    const found = await this.#read();
    if (found === null) return;
    const answer = await this.#unpublish(publicVersionOf(found));
    if (answer.httpStatus !== 200) return this.#note({ unpublish: 'refused' });
    const after = await this.#readUntil((read) => publicVersionOf(read) === 0);
    this.#note({ unpublish: after === null ? 'unseen' : 'expected' });
  }

  async #checkNewLanguage(): Promise<void> {
    const { otherCode } = this.#options;
    if (otherCode === undefined) return;
    const answer = await this.#update({ lang_code: otherCode, content: textOf(4) });
    if (!isUpdated(answer)) return this.#note({ newLanguage: 'expected' });
    const after = await this.#readUntil(
      (read) => read['is_fall_back_content'] === false && hasText(4)(read),
      otherCode,
    );
    if (after !== null) this.#note({ newLanguage: 'created' });
  }

  #note(findings: Findings): void {
    this.findings = { ...this.findings, ...findings };
  }

  /** An item that keeps the article hidden, unless that is what is checked. */
  #item(members: JsonObject): JsonObject {
    const { articleId, defaultCode } = this.#options;
    return { article_id: articleId, lang_code: defaultCode, hidden: true, ...members };
  }

  #update(members: JsonObject): Promise<ServiceAnswer> {
    return this.#calls.write('PUT', ['Articles', 'bulkupdate'], [this.#item(members)]);
  }

  #unpublish(number: number): Promise<ServiceAnswer> {
    const { articleId, userId, projectVersionId, defaultCode } = this.#options;
    return this.#calls.write('DELETE', ['Articles', 'bulkpublish', { id: defaultCode }], {
      articles: [{ article_id: articleId, version_number: number }],
      user_id: userId,
      project_version_id: projectVersionId,
    });
  }

  async #read(languageCode = this.#options.defaultCode): Promise<JsonObject | null> {
    const path = ['Articles', { id: this.#options.articleId }, { id: languageCode }] as const;
    const { payload } = await this.#calls.read(path, ARTICLE_QUERY);
    return isObject(payload) ? payload : null;
  }

  /** Reads until a write shows; null where it does not. */
  async #readUntil(isShown: (read: JsonObject) => boolean, languageCode?: string): Promise<JsonObject | null> {
    for (let reads = 1; reads <= MAX_READS; reads += 1) {
      if (reads > 1) await sleep(this.#options.pauseMs);
      const found = await this.#read(languageCode);
      if (found === null || !isShown(found)) continue;
      this.#reads = Math.max(this.#reads, reads);
      return found;
    }
    this.#note({ lag: 'never' });
    return null;
  }
}

/** True where a bulk update of one item says that it was applied. */
const isUpdated = ({ payload }: ServiceAnswer): boolean => objectsIn(payload)[0]?.['success'] === true;

const publicVersionOf = ({ public_version: number }: JsonObject): number => (typeof number === 'number' ? number : 0);

const bodyOf = (read: JsonObject): string => `${read['html_content'] || read['content'] || ''}`;

const hasText =
  (step: number) =>
  (read: JsonObject): boolean =>
    bodyOf(read).includes(`check-service, text ${step}`);

function formOf(read: string, sent: string): NonNullable<Findings['texts']> {
  if (read === sent) return 'expected';
  return read === sent.trim() ? 'trimmed' : 'rewritten';
}
