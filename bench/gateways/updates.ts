import { good } from '../../test/faults/good-service.ts';
import { type RushReport, rush } from '../../test/faults/rush.ts';
import { limitedTo } from '../../test/support/limited-service.ts';
import { type Figure, figure } from '../report/figures.ts';
import { CALLS_A_WINDOW, type Size } from '../report/size.ts';
import { byClient, type GatewaySceneOptions, inGatewayScene, inTurn, type SendingGateway } from './scene.ts';

const CLIENTS = 200;
const FULL_EACH = 30;
const QUICK_EACH = 6;

const MAX_CALLS = 90;
const MAX_REFUSED = 2;
const MAX_SECONDS = 70;

interface Variant extends GatewaySceneOptions {
  readonly name: string;
  readonly spread: (gateways: readonly SendingGateway[]) => (client: number) => SendingGateway;
  /**
   * False where each client has a list of its own: see docs/performance/measurements.md for the calls that the slowest one costs.
   */
  readonly isWorkShared: boolean;
  /** True where the bounds hold. */
  readonly isBounded: boolean;
}

const ONE = { count: 1, isShared: false, spread: inTurn, isWorkShared: false, isBounded: false };
const FOUR = { ...ONE, count: 4, isShared: true };

const VARIANTS: readonly Variant[] = [
  { ...ONE, name: 'one gateway', isWorkShared: true },
  { ...ONE, name: 'one, each client with its list' },
  { ...FOUR, name: 'four, each request to the next', isWorkShared: true, isBounded: true },
  { ...FOUR, name: 'four, each client with its list' },
  { ...FOUR, name: 'four, each client with its list and gateway', spread: byClient },
  { ...FOUR, name: 'four without STATE_URL', isShared: false, isWorkShared: true },
];

/** Single updates of many clients through one gateway and through four, over a service that allows few calls. */
export async function measureUpdates(size: Size): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const variant of VARIANTS) figures.push(...(await measureVariant(variant, size)));
  return figures;
}

const measureVariant = (variant: Variant, { isFull, windowMs }: Size): Promise<readonly Figure[]> =>
  inGatewayScene(variant, async ({ service, gateways }) => {
    const written: string[] = [];
    const limited = limitedTo({ calls: CALLS_A_WINDOW, windowMs }, (response, request) => {
      if (Array.isArray(request.body)) for (const { article_id } of request.body) written.push(article_id);
      return good()(response, request);
    });
    service.onAny(limited.behaviour);
    const plan = { clients: CLIENTS, each: isFull ? FULL_EACH : QUICK_EACH, isWorkShared: variant.isWorkShared };
    const report = await rush(variant.spread(gateways), plan);
    const isBounded = variant.isBounded && isFull;
    return figuresOf({ ...variant, isBounded }, report, {
      calls: limited.accepted(),
      refused: limited.refused(),
      lost: plan.clients * plan.each - new Set(written).size,
      sentTwice: written.length - new Set(written).size,
    });
  });

interface Counts {
  readonly calls: number;
  readonly refused: number;
  /** Articles that the service did not get. */
  readonly lost: number;
  readonly sentTwice: number;
}

function figuresOf({ name, isBounded }: Variant, report: RushReport, counts: Counts): readonly Figure[] {
  const atMost = (bound: number) => (isBounded ? { atMost: bound } : {});
  return [
    figure(`${name}: calls`, counts.calls, atMost(MAX_CALLS)),
    figure('  answered with 429', counts.refused, atMost(MAX_REFUSED)),
    figure('  time', report.ms / 1_000, { unit: 's', ...atMost(MAX_SECONDS) }),
    figure('  ended in RateLimitedError, and sent again', report.rateLimited),
    figure('  ended otherwise than updated', report.others.length, atMost(0)),
    figure('  articles lost', counts.lost, atMost(0)),
    figure('  articles sent twice', counts.sentTwice, atMost(0)),
  ];
}
