import type { Clock } from '../base/clock.ts';

/** The part of a gateway that is served by MCP. */
export interface McpOptions {
  /** `off`: reads only. `preview`: also previews of writes. `on`: also writes, each with the token of its preview. */
  readonly writes: 'off' | 'preview' | 'on';
  /** The version of the gateway. */
  readonly version: string;
  /** The clock by which tokens of previews expire; that of the system when it is absent. */
  readonly clock?: Pick<Clock, 'now'>;
}
