import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../simulation/world/random.ts';
import { SERVICE_TOKEN } from '../support/jobs/job-gateway.ts';
import { freePort } from '../support/ports.ts';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { CACHE_MS, CALL_MS, REQUEST_MS } from './settings.ts';
import { openStateLink, type StateLink } from './state-link.ts';

/** A token of the gateways' own, whose callers are lent the one of the service. */
export const OWN_TOKEN = 'gateway-token';

/** The troubles of a gateway: killed and started again, cut off from the state in two ways, stopped for a while. */
const TROUBLES = { kill: 3, cut: 3, silence: 3, stop: 2 } as const;
export type Trouble = keyof typeof TROUBLES;

/** How long a trouble lasts. */
const LASTS_MS = { min: 100, max: 6_000 } as const;

export interface GatewaySlotOptions {
  readonly cwd: string;
  readonly serviceUrl: string;
  /** Null for a gateway that shares no state with others. */
  readonly stateUrl: string | null;
}

/** A gateway process that is started again after its end, with a link of its own to the state. */
export class GatewaySlot {
  readonly #settings: Readonly<Record<string, string>>;
  readonly #cwd: string;
  readonly #link: StateLink | null;
  readonly #ended: RunningGateway[] = [];
  #gateway: RunningGateway | null = null;
  #stoppedMs = 0;
  #stoppedUntil = Number.NEGATIVE_INFINITY;

  private constructor({ cwd, serviceUrl }: GatewaySlotOptions, link: StateLink | null, port: number) {
    this.#cwd = cwd;
    this.#link = link;
    this.#settings = {
      // The next process takes the place of the one before, which nobody waits for then.
      PORT: `${port}`,
      UPSTREAM_URL: serviceUrl,
      UPSTREAM_API_TOKEN: SERVICE_TOKEN,
      API_TOKEN: OWN_TOKEN,
      ...(link && { STATE_URL: link.url }),
      UPSTREAM_TIMEOUT_MS: `${CALL_MS}`,
      REQUEST_TIMEOUT_MS: `${REQUEST_MS}`,
      READ_CACHE_SECONDS: `${CACHE_MS / 1_000}`,
      LOG_LEVEL: 'warn',
    };
  }

  static async open(options: GatewaySlotOptions): Promise<GatewaySlot> {
    const { stateUrl } = options;
    const slot = new GatewaySlot(options, stateUrl === null ? null : await openStateLink(stateUrl), await freePort());
    await slot.start();
    return slot;
  }

  /** Null while there is none. */
  get url(): string | null {
    return this.#gateway?.url ?? null;
  }

  /** The processes that have ended so far. */
  get ends(): number {
    return this.#ended.length;
  }

  /** Milliseconds so far during which the process was stopped. */
  get stoppedMs(): number {
    return this.#stoppedMs;
  }

  /** `performance.now()` at which the process went on for the last time. */
  get stoppedUntil(): number {
    return this.#stoppedUntil;
  }

  async start(): Promise<void> {
    this.#gateway = await startGatewayProcess({ cwd: this.#cwd, settings: this.#settings });
  }

  /** Gets into trouble, and out of it again. */
  async suffer(random: SeededRandom): Promise<Trouble> {
    const trouble = random.pickWeighted(TROUBLES);
    const lastsMs = random.between(LASTS_MS.min, LASTS_MS.max);
    if (trouble === 'kill') {
      await this.#kill();
      await sleep(lastsMs);
      await this.start();
    } else if (trouble === 'stop') await this.#stopFor(lastsMs);
    else await this.#partFor(lastsMs, trouble, random.chance(0.5));
    return trouble;
  }

  /** What the processes have said that must not be said, whatever happens to them. */
  bugs(): readonly string[] {
    const gateways = this.#gateway ? [...this.#ended, this.#gateway] : this.#ended;
    return gateways.flatMap((gateway) => gateway.log().match(/^.*unexpected.*$/gmu) ?? []);
  }

  async close(): Promise<void> {
    await this.#kill();
    await this.#link?.close();
  }

  async #kill(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = null;
    if (gateway === null) return;
    this.#ended.push(gateway);
    await gateway.stop('SIGKILL');
  }

  async #stopFor(ms: number): Promise<void> {
    const pid = this.#gateway?.pid;
    if (pid === undefined) return;
    const begun = performance.now();
    process.kill(pid, 'SIGSTOP');
    await sleep(ms);
    process.kill(pid, 'SIGCONT');
    this.#stoppedUntil = performance.now();
    this.#stoppedMs += this.#stoppedUntil - begun;
  }

  /** What a silent link has held back is delivered at the end, or lost. */
  async #partFor(ms: number, trouble: 'cut' | 'silence', isLost: boolean): Promise<void> {
    this.#link?.[trouble]();
    await sleep(ms);
    if (isLost) this.#link?.cut();
    this.#link?.heal();
  }
}
