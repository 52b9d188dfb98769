import { silentLog } from '../../src/core/base/log.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { startGateway } from '../support/gateway.ts';
import { describeContract } from './contract.ts';

const HEADING = '<h1>Text <a class="anchor" aria-hidden="true" id="text" href="#text"></a></h1>\n';

const htmlOf = (markdown: string): string => (markdown === '# Text' ? HEADING : `<p>${markdown}</p>\n`);

describeContract(
  'REST, with a second gateway as the service',
  async () => {
    const service = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    const rest = openRestBackend({
      baseUrl: service.url,
      timeoutMs: 10_000,
      bulkSize: 100,
      maxReadCalls: 1_000,
      // The articles of the contract are created within the second of the start.
      startedAt: Number.NEGATIVE_INFINITY,
      log: silentLog,
    });
    const backend = withPipeline(rest, { merging: mergeWrites({ maxItems: 100 }) });
    const gateway = await startGateway({ backend, local: false, token: TOKEN, maxUpstreamCalls: 1_000 });
    return {
      ...gateway,
      close: async () => {
        await gateway.close();
        await service.close();
      },
    };
  },
  htmlOf,
);
