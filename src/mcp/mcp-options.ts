/** What a gateway serves by MCP. */
export interface McpOptions {
  /** `off`: reads only. `preview`: also previews of writes. `on`: also writes, each with the token of its preview. */
  readonly writes: 'off' | 'preview' | 'on';
  /** The version of the gateway. */
  readonly version: string;
}
