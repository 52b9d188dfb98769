export type Entry = 'entered' | 'full' | 'too-late';

export interface GateOptions {
  readonly slots: number;
  /** So many wait for a slot; one more finds the gate full at once. */
  readonly waiting: number;
  /** So many of the slots, and of the places to wait in, one holder has at most: what is left is for others. */
  readonly share?: { readonly slots: number; readonly waiting: number };
}

interface Place {
  readonly holder: string;
  readonly admit: () => void;
}

/** Lets so many through at once and so many wait, in their order and each no longer than it says. */
export class Gate {
  readonly #slots: number;
  readonly #places: number;
  readonly #shares: { readonly slots: Shares; readonly places: Shares } | null;
  readonly #line: Place[] = [];
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
  async enter(waitMs: number, holder = ''): Promise<Entry> {
    if (this.#hasSlot(holder)) {
      this.#take(holder);
      return 'entered';
    }
    return this.#hasPlace(holder) ? this.#wait(waitMs, holder) : 'full';
  }

  leave(holder = ''): void {
    this.#busy -= 1;
    this.#shares?.slots.add(holder, -1);
    this.#line.find((place) => this.#hasSlot(place.holder))?.admit();
  }

  #hasSlot(holder: string): boolean {
    return this.#busy < this.#slots && !this.#shares?.slots.isUsedUp(holder);
  }

  #hasPlace(holder: string): boolean {
    return this.#line.length < this.#places && !this.#shares?.places.isUsedUp(holder);
  }

  #take(holder: string): void {
    this.#busy += 1;
    this.#shares?.slots.add(holder, 1);
  }

  #wait(waitMs: number, holder: string): Promise<Entry> {
    return new Promise((resolve) => {
      const leaveLine = () => {
        this.#line.splice(this.#line.indexOf(place), 1);
        this.#shares?.places.add(holder, -1);
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
      this.#line.push(place);
      this.#shares?.places.add(holder, 1);
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
