import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../simulation/world/random.ts';
import type { GatewaySlot } from './gateway-slot.ts';
import type { Knowledge, MemberChange } from './knowledge.ts';
import { Requests } from './requests.ts';
import { REQUEST_MS } from './settings.ts';
import { ARTICLES, FOREIGN_GROUP, GROUPS, type Resource, type VersionedService } from './versioned-service.ts';

/** How often a client does what. It also edits the service as somebody does who uses no gateway. */
const ACTIONS = { readArticle: 8, readGroup: 5, writeArticle: 3, changeMembers: 3, edit: 1 } as const;
const QUIET_ACTIONS = { ...ACTIONS, writeArticle: 0.05, changeMembers: 0.05 } as const;
/** All clients write for so long, and mostly read for as long, since writes keep responses out of the caches. */
const PHASE_MS = 2_000;

const MAX_PAUSE_MS = 60;
/** The most members of a client in one group. */
const MAX_MEMBERS = 5;

export interface ClientOptions {
  readonly name: string;
  readonly random: SeededRandom;
  readonly service: VersionedService;
  readonly slots: readonly GatewaySlot[];
  readonly knowledge: Knowledge;
}

/** A client that does one thing after another, each through any of the gateways. */
export class Client {
  readonly #name: string;
  readonly #random: SeededRandom;
  readonly #service: VersionedService;
  readonly #slots: readonly GatewaySlot[];
  readonly #knowledge: Knowledge;
  readonly #requests: Requests;
  /** The members that it has added to each group, as far as it knows. */
  readonly #members = new Map<string, string[]>();
  #named = 0;

  constructor({ name, random, service, slots, knowledge }: ClientOptions) {
    this.#name = name;
    this.#random = random;
    this.#service = service;
    this.#slots = slots;
    this.#knowledge = knowledge;
    this.#requests = new Requests(knowledge.report);
  }

  async run(until: number): Promise<void> {
    while (performance.now() < until) {
      const slot = this.#pick(this.#slots);
      const isQuiet = Math.floor(performance.now() / PHASE_MS) % 2 === 1;
      const action = this.#random.pickWeighted(isQuiet ? QUIET_ACTIONS : ACTIONS);
      if (action === 'edit') this.#edit();
      else if (slot.url !== null) await this[action](slot);
      await sleep(this.#random.between(0, MAX_PAUSE_MS));
    }
  }

  async readArticle(slot: GatewaySlot): Promise<boolean> {
    const id = this.#pick(ARTICLES);
    const oldest = this.#knowledge.oldestFor(id);
    const endRead = this.#beginRead('Articles');
    const { value, isHit } = await this.#requests.readArticle(slot, id);
    endRead(isHit);
    if (value !== null) this.#knowledge.checkArticle(id, value, oldest);
    return this.#countRead(value !== null, isHit);
  }

  async readGroup(slot: GatewaySlot): Promise<boolean> {
    const id = this.#pick([...GROUPS, FOREIGN_GROUP]);
    const oldest = this.#knowledge.oldestFor(id);
    const endRead = this.#beginRead('Readers');
    const { value, isHit } = await this.#requests.readGroup(slot, id);
    endRead(isHit);
    if (value !== null) this.#knowledge.checkGroup(id, value, oldest);
    return this.#countRead(value !== null, isHit);
  }

  async writeArticle(slot: GatewaySlot): Promise<boolean> {
    const id = this.#pick(ARTICLES);
    const title = this.#newName();
    const outcome = await this.#requests.updateArticle(slot, id, title);
    this.#knowledge.onArticleWrite(id, title, outcome);
    return outcome === 'acknowledged';
  }

  async changeMembers(slot: GatewaySlot): Promise<boolean> {
    const groupId = this.#pick(GROUPS);
    const members = this.#members.get(groupId) ?? [];
    this.#members.set(groupId, members);
    const removed = members.length >= MAX_MEMBERS || this.#random.chance(0.3) ? members.shift() : undefined;
    const change: MemberChange = { member: removed ?? this.#newName(), isIn: removed === undefined };
    const input = { [change.isIn ? 'addReaderIds' : 'removeReaderIds']: [change.member] };
    const outcome = await this.#requests.changeMembers(slot, groupId, input);
    this.#knowledge.onMemberChange(groupId, change, outcome);
    // It is added or removed once at most, so that a name that the service gets twice was sent twice.
    if (outcome === 'acknowledged' && change.isIn) members.push(change.member);
    return outcome === 'acknowledged';
  }

  #edit(): void {
    this.#knowledge.counts.edits += 1;
    this.#service.edit(this.#pick([...ARTICLES, FOREIGN_GROUP]), `${this.#newName()}-elsewhere`);
  }

  /** Reports a read from a cache during all of which a write that may change it was under way. */
  #beginRead(resource: Resource): (isHit: boolean) => void {
    const before = this.#service.writesUnderWay(resource);
    return (isHit) => {
      const during = [...this.#service.writesUnderWay(resource)].filter((write) => before.has(write));
      // A process that was stopped between the mark of a write and its call sends the call after the end of the mark.
      const stoppedUntil = Math.max(...this.#slots.map((slot) => slot.stoppedUntil));
      const isInvalid = during.some(({ arrivedAt }) => arrivedAt > stoppedUntil + REQUEST_MS);
      if (isHit && isInvalid) this.#knowledge.report(`${resource} were read from a cache while a write was under way`);
    };
  }

  #countRead(isAnswered: boolean, isHit: boolean): boolean {
    this.#knowledge.counts[isAnswered ? 'reads' : 'failedReads'] += 1;
    if (isHit) this.#knowledge.counts.hits += 1;
    return isAnswered;
  }

  #newName(): string {
    this.#named += 1;
    return `${this.#name}-${this.#named}`;
  }

  #pick<T>(values: readonly T[]): T {
    const value = values[this.#random.between(0, values.length - 1)];
    if (value === undefined) throw new Error('There is nothing to choose from.');
    return value;
  }
}
