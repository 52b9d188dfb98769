import { z } from 'zod';
import { oneOf } from './setting-types.ts';

export interface AuditConfig {
  readonly path: string;
  /** A write that cannot be recorded is refused when 'closed', sent when 'open'. */
  readonly failureMode: 'closed' | 'open';
}

export const auditSettings = z.object({
  AUDIT_LOG: z
    .string()
    .refine((path) => !path.includes('\0'), 'the path of a file')
    .optional(),
  AUDIT_FAILURE: oneOf(['closed', 'open'], 'closed'),
});

/** Null when writes are not recorded. */
export const auditConfig = ({ AUDIT_LOG, AUDIT_FAILURE }: z.infer<typeof auditSettings>): AuditConfig | null =>
  AUDIT_LOG === undefined ? null : Object.freeze({ path: AUDIT_LOG, failureMode: AUDIT_FAILURE });
