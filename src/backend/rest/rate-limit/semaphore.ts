export type Entry = 'entered' | 'full' | 'too-late';

export interface GateOptions {
  readonly slots: number;
  /** So many wait for a slot; one more finds the gate full at once. */
  readonly waiting: number;
  /** So many of the slots, and of the places to wait in, one holder has at most: what is left is for others. */
  readonly share?: { readonly slots: number; readonly waiting: number };
}

/** The holder of a slot: `share` is counted for each name. */
export interface Holder {
  readonly name: string;
  /** True where all others go first. */
  readonly isStranger: boolean;
}

const NOBODY: Holder = { name: '', isStranger: false };

interface Place {
  readonly holder: Holder;
  readonly admit: () => void;
}

/** Lets so many through at once and so many wait, strangers last, else in their order, and each no longer than it says. */
export class Gate {
  readonly #slots: number;
  readonly #places: number;
  readonly #shares: { readonly slots: Shares; readonly places: Shares } | null;
  readonly #line: Place[] = [];
  readonly #strangers: Place[] = [];
  #busy = 0;

  constructor({ slots, waiting, share }: GateOptions) {
    this.#slots = slots;
    this.#places = waiting;
    this.#shares = share ? { slots: new Shares(share.slots), places: new Shares(share.waiting) } : null;
  }

  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** Who entered leaves again, exactly once and as the same holder. `waitMs` below 0 counts as 0. */
  async enter(waitMs: number, holder = NOBODY): Promise<Entry> {
    if (this.#hasSlot(holder)) {
      this.#take(holder);
      return 'entered';
    }
    return this.#hasPlace(holder) ? this.#wait(waitMs, holder) : 'full';
  }

  leave(holder = NOBODY): void {
    this.#busy -= 1;
    this.#shares?.slots.add(holder.name, -1);
    const mayEnter = (place: Place) => this.#hasSlot(place.holder);
    (this.#line.find(mayEnter) ?? this.#strangers.find(mayEnter))?.admit();
  }

  #hasSlot({ name }: Holder): boolean {
    return this.#busy < this.#slots && !this.#shares?.slots.isUsedUp(name);
  }

  #hasPlace({ name }: Holder): boolean {
    const waiting = this.#line.length + this.#strangers.length;
    return waiting < this.#places && !this.#shares?.places.isUsedUp(name);
  }

  #take({ name }: Holder): void {
    this.#busy += 1;
    this.#shares?.slots.add(name, 1);
  }

  #wait(waitMs: number, holder: Holder): Promise<Entry> {
    const line = holder.isStranger ? this.#strangers : this.#line;
    return new Promise((resolve) => {
      const leaveLine = () => {
        line.splice(line.indexOf(place), 1);
        this.#shares?.places.add(holder.name, -1);
      };
      const giveUp = setTimeout(() => {
        leaveLine();
        resolve('too-late');
      }, waitMs);
      const admit = () => {
        clearTimeout(giveUp);
        leaveLine();
        this.#take(holder);
        resolve('entered');
      };
      const place = { holder, admit };
      line.push(place);
      this.#shares?.places.add(holder.name, 1);
    });
  }
}

/** What each holder has of something. */
class Shares {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  isUsedUp(holder: string): boolean {
    return this.#of(holder) >= this.#most;
  }

  add(holder: string, change: 1 | -1): void {
    const count = this.#of(holder) + change;
    if (count === 0) this.#counts.delete(holder);
    else this.#counts.set(holder, count);
  }

  #of(holder: string): number {
    return this.#counts.get(holder) ?? 0;
  }
}
