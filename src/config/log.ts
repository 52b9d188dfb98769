import { z } from 'zod';
import type { LogLevel } from '../base/log.ts';
import { oneOf } from './setting-types.ts';

export const logSettings = z.object({
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error'], 'info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], 'json or pretty').optional(),
});

export interface LogConfig {
  readonly level: LogLevel;
  /** Null when unset: lines are then for people on a terminal, else JSON. */
  readonly format: 'json' | 'pretty' | null;
}

export const logConfig = ({ LOG_LEVEL, LOG_FORMAT }: z.infer<typeof logSettings>): LogConfig =>
  Object.freeze({ level: LOG_LEVEL, format: LOG_FORMAT ?? null });
