import { z } from 'zod';
import { booleanSetting, oneOf } from './setting-types.ts';

export interface McpConfig {
  /** True where `/mcp` is served. */
  readonly http: boolean;
  readonly writes: 'off' | 'preview' | 'on';
}

export const mcpSettings = z.object({
  MCP_HTTP: booleanSetting(true),
  MCP_WRITES: oneOf(['off', 'preview', 'on'], 'off'),
});

export const mcpConfig = ({ MCP_HTTP, MCP_WRITES }: z.infer<typeof mcpSettings>): McpConfig =>
  Object.freeze({ http: MCP_HTTP, writes: MCP_WRITES });
