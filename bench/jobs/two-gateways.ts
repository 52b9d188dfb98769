import { runTwoGateways } from '../../test/crash/two-gateways.ts';
import { startPostgres } from '../../test/support/embedded-postgres.ts';
import { type Figure, figure, none } from '../report/figures.ts';

const MAX_TAKEOVER_SECONDS = 15;

/** Two gateways with one state in PostgreSQL, of which the one that runs a job ends. */
export async function measureTwoGateways(): Promise<readonly Figure[]> {
  const server = await startPostgres({});
  try {
    const report = await runTwoGateways(server.url);
    const { audit, stateAfterEnd: state } = report;
    return [
      figure('PUTs of the other gateway before', report.putsOfTheOther, { atMost: 0 }),
      figure('until the other took over', report.takeoverMs / 1_000, { unit: 's', atMost: MAX_TAKEOVER_SECONDS }),
      none(`a job of a caller's own token, then other than PAUSED (${state})`, state === 'PAUSED' ? [] : [state]),
      figure('PUTs for it before it was resumed', report.putsWhilePaused, { atMost: 0 }),
      figure('PUTs of a gateway that was stopped, once it went on', report.putsAfterStop),
      none('sent twice, contradicted', [...audit.sentTwice, ...audit.contradicted, ...report.surprises]),
      none('out of order, miscounted', [...audit.outOfOrder, ...audit.miscounted]),
    ];
  } finally {
    await server.stop();
  }
}
