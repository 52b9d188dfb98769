import { z } from 'zod';
import { oneOf } from './setting-types.ts';

/** Where writes are recorded, and what becomes of one that can't be. */
export interface AuditConfig {
  readonly path: string;
  readonly whenItFails: 'closed' | 'open';
}

export const auditSettings = z.object({
  AUDIT_LOG: z
    .string()
    .refine((path) => !path.includes('\0'), 'the path of a file')
    .optional(),
  AUDIT_FAILURE: oneOf(['closed', 'open'], 'closed'),
});

/** Null where nothing is recorded. */
export const auditConfig = ({ AUDIT_LOG, AUDIT_FAILURE }: z.infer<typeof auditSettings>): AuditConfig | null =>
  AUDIT_LOG === undefined ? null : Object.freeze({ path: AUDIT_LOG, whenItFails: AUDIT_FAILURE });
