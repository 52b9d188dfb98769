import { specificSchemaNames, toldNames } from '../../support/schema-names.ts';
import { type Breach, breachesOf } from '../measure/bounds.ts';
import type { Cost, MeasuredGateway } from '../measure/measured-gateway.ts';
import { type AbuseRequest, type Answer, createSender } from '../measure/request.ts';
import { warmUp } from '../measure/warm-up.ts';
import type { TargetName, Targets } from '../targets/targets.ts';

/** One request with its measured cost. */
export interface Attempt {
  readonly cost: Cost;
  readonly answer: Answer;
  readonly breaches: readonly Breach[];
}

export interface Attempts {
  send(target: TargetName, request: AbuseRequest): Promise<Attempt>;
  /** Sends the request to a gateway with fresh data, after the requests in `before`. */
  sendAfresh(target: TargetName, before: readonly AbuseRequest[], request: AbuseRequest): Promise<Attempt>;
}

const NO_RESPONSE: Answer = { status: 0, bytes: 0, text: '' };

/** The number of repeats of a request: its need of memory shows only then. */
const AGAIN = 3;

export function createAttempts(targets: Targets): Attempts {
  const names = specificSchemaNames();
  const warm = new WeakSet<MeasuredGateway>();

  const ready = async (gateway: MeasuredGateway): Promise<MeasuredGateway> => {
    if (!warm.has(gateway)) await warmUp(gateway);
    warm.add(gateway);
    return gateway;
  };

  /** With introspection off, a stranger is told no name of the schema. */
  const tellsSchema = (target: TargetName, request: AbuseRequest, { text }: Answer): boolean =>
    target === 'closed' && !isKnown(request) && toldNames(text, request.path + request.body, names).length > 0;

  const sendTo = async (target: TargetName, gateway: MeasuredGateway, request: AbuseRequest): Promise<Attempt> => {
    const sender = createSender(gateway.origin);
    const [cost, sent] = await gateway.measure((signal) => sender.send(request, signal));
    sender.close();
    const answer = sent ?? NO_RESPONSE;
    const rawInLog = await gateway.takeRawInLog();
    const breaches = breachesOf({ cost, answers: [answer], rawInLog, isKnown: isKnown(request) });
    return {
      cost,
      answer,
      breaches: tellsSchema(target, request, answer) ? [...breaches, 'told the schema'] : breaches,
    };
  };

  return {
    send: async (target, request) => sendTo(target, await ready(await targets.running(target)), request),
    async sendAfresh(target, before, request) {
      const gateway = await ready(await targets.restart(target));
      for (const write of before) await sendTo(target, gateway, write);
      let last = await sendTo(target, gateway, request);
      // The least loop time of several runs counts: a higher one is due to the compiler or the garbage collector.
      for (let times = 1; times < AGAIN && gateway.isAlive() && last.breaches.length > 0; times += 1) {
        const next = await sendTo(target, gateway, request);
        if (next.cost.end !== 'answered') return next;
        if (next.cost.holdMs < last.cost.holdMs || next.breaches.includes('took memory')) last = next;
      }
      return last;
    },
  };
}

export const isKnown = ({ headers }: AbuseRequest): boolean =>
  headers['api_token'] !== undefined && headers['api_token'] !== 'made-up';
