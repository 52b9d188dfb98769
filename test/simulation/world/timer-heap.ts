export interface Timer {
  readonly at: number;
  /** Decides between timers of one moment. */
  readonly tie: number;
  readonly run: () => void;
}

/** The timers by their time, as a binary heap. */
export class TimerHeap {
  readonly #timers: Timer[] = [];
  readonly #removed = new Set<Timer>();

  add(timer: Timer): void {
    this.#timers.push(timer);
    let index = this.#timers.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  remove(timer: Timer): void {
    this.#removed.add(timer);
  }

  takeFirst(): Timer | undefined {
    for (let first = this.#take(); first !== undefined; first = this.#take()) {
      if (!this.#removed.delete(first)) return first;
    }
    this.#removed.clear();
    return undefined;
  }

  #take(): Timer | undefined {
    const [first] = this.#timers;
    const last = this.#timers.pop();
    if (first === undefined || last === undefined || this.#timers.length === 0) return first;
    this.#timers[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      if (left >= this.#timers.length) return first;
      const child = right < this.#timers.length && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, index)) return first;
      this.#swap(child, index);
      index = child;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#at(one), this.#at(other)];
    return first.at < second.at || (first.at === second.at && first.tie < second.tie);
  }

  #at(index: number): Timer {
    const timer = this.#timers[index];
    if (timer === undefined) throw new Error('There is no such timer.');
    return timer;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#at(one), this.#at(other)];
    this.#timers[one] = second;
    this.#timers[other] = first;
  }
}
