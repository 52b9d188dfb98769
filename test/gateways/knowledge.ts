import type { WriteOutcome } from './requests.ts';
import { CACHE_MS } from './settings.ts';
import { membersIn, type VersionedService } from './versioned-service.ts';

/** Timers are coarser than the clock that revisions are timed by. */
const ROUNDING_MS = 50;

/** What the service has been and got. */
type Past = Pick<VersionedService, 'histories' | 'sent' | 'overwrites'>;

/** What all clients know together, compared with what the service has been. */
export class Knowledge {
  readonly findings: string[] = [];
  readonly counts = { reads: 0, hits: 0, failedReads: 0, acknowledged: 0, unsent: 0, unknown: 0, edits: 0 };
  readonly #service: Past;
  /** The newest revision of each thing that a client knows of, by an acknowledged write. */
  readonly #acknowledged = new Map<string, number>();
  readonly #unsent: string[] = [];
  /** The last change of each member that has an end; null where it has none. */
  readonly #members = new Map<string, { readonly groupId: string; readonly isIn: boolean | null }>();

  constructor(service: Past) {
    this.#service = service;
  }

  readonly report = (finding: string): void => void this.findings.push(finding);

  /** The oldest revision that a read which begins now may show. */
  oldestFor(id: string): { readonly begunAt: number; readonly revision: number } {
    return { begunAt: performance.now(), revision: this.#acknowledged.get(id) ?? 0 };
  }

  checkArticle(id: string, title: string, oldest: ReturnType<Knowledge['oldestFor']>): void {
    const history = this.#service.histories.get(id) ?? [];
    this.#checkRevision(
      id,
      history.findLastIndex(({ value }) => value === title),
      oldest,
    );
  }

  checkGroup(id: string, { revision, members }: GroupRead, oldest: ReturnType<Knowledge['oldestFor']>): void {
    const value = this.#service.histories.get(id)?.[revision]?.value;
    if (value !== members) this.report(`${id}: members of revision ${revision} are ${members} rather than ${value}`);
    this.#checkRevision(id, revision, oldest);
  }

  #checkRevision(
    id: string,
    revision: number,
    { begunAt, revision: oldest }: ReturnType<Knowledge['oldestFor']>,
  ): void {
    const history = this.#service.histories.get(id) ?? [];
    if (history[revision] === undefined) {
      this.report(`${id} was read as it never was`);
      return;
    }
    if (revision < oldest) this.report(`${id}: revision ${revision} was read after ${oldest} was acknowledged`);
    const replacedAt = history[revision + 1]?.at ?? Number.POSITIVE_INFINITY;
    const lateMs = begunAt - replacedAt - CACHE_MS;
    if (lateMs > ROUNDING_MS) this.report(`${id}: revision ${revision} was read ${Math.round(lateMs)} ms too late`);
  }

  onArticleWrite(id: string, title: string, outcome: WriteOutcome): void {
    this.counts[outcome] += 1;
    const revision = (this.#service.histories.get(id) ?? []).findLastIndex(({ value }) => value === title);
    if (outcome === 'unsent') this.#unsent.push(title);
    if (outcome !== 'acknowledged') return;
    if (revision < 0) this.report(`${id}: ${title} was acknowledged, and never came`);
    else this.#acknowledge(id, revision);
  }

  onMemberChange(groupId: string, { member, isIn }: MemberChange, outcome: WriteOutcome): void {
    this.counts[outcome] += 1;
    if (outcome === 'unsent' && isIn) this.#unsent.push(member);
    if (outcome === 'unsent') return;
    this.#members.set(member, { groupId, isIn: outcome === 'acknowledged' ? isIn : null });
    if (outcome === 'unknown') return;
    // Only its own client changes a member, so it is as asked since the revision after the last one that differs.
    const history = this.#service.histories.get(groupId) ?? [];
    const revision = 1 + history.findLastIndex(({ value }) => membersIn(value).includes(member) !== isIn);
    if (revision === history.length)
      this.report(`${groupId}: the change of ${member} was acknowledged, and is not there`);
    else this.#acknowledge(groupId, revision);
  }

  /** What must hold once all is quiet. */
  checkEnd(): void {
    const { histories, sent, overwrites } = this.#service;
    for (const [member, { groupId, isIn }] of this.#members) {
      const isThere = membersIn(histories.get(groupId)?.at(-1)?.value ?? '').includes(member);
      if (isIn !== null && isThere !== isIn) this.report(`${groupId}: the change of ${member} was lost`);
    }
    for (const name of this.#unsent) if (sent.has(name)) this.report(`${name} was sent, and said not to be`);
    for (const [name, times] of sent) if (times > 1) this.report(`${name} was sent ${times} times`);
    for (const overwrite of overwrites) this.report(`a group was overwritten: ${overwrite}`);
  }

  #acknowledge(id: string, revision: number): void {
    this.#acknowledged.set(id, Math.max(revision, this.#acknowledged.get(id) ?? 0));
  }
}

interface GroupRead {
  readonly revision: number;
  readonly members: string;
}

export interface MemberChange {
  readonly member: string;
  /** True where it is to be added, false where it is to be removed. */
  readonly isIn: boolean;
}
