import { type RunningGateway, startGatewayProcess } from '../process.ts';
import type { RecordingService } from './recording-service.ts';

/** The token of the service that the gateway lends. Jobs of callers to whom it is lent go on without them. */
export const SERVICE_TOKEN = 'service-token-of-the-gateway';

/** A token of the gateway's own. Each is another caller. */
export const ownTokenOf = (caller: number): string => `gateway-token-${caller}`;

/** As many callers as a run has, each of whom may have five jobs at one time. */
export const CALLERS = 40;

const OWN_TOKENS = Array.from({ length: CALLERS }, (_, caller) => ownTokenOf(caller)).join(',');

export interface JobGatewayOptions {
  /** The working directory. */
  readonly cwd: string;
  readonly service: Pick<RecordingService, 'url'>;
  readonly stateUrl: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The settings of a gateway in front of a service. */
export const jobSettings = ({ service, stateUrl, settings }: JobGatewayOptions): Readonly<Record<string, string>> => ({
  UPSTREAM_URL: service.url,
  UPSTREAM_API_TOKEN: SERVICE_TOKEN,
  API_TOKEN: OWN_TOKENS,
  STATE_URL: stateUrl,
  LOG_LEVEL: 'warn',
  ...settings,
});

export const startJobGateway = (options: JobGatewayOptions): Promise<RunningGateway> =>
  startGatewayProcess({ cwd: options.cwd, settings: jobSettings(options) });
