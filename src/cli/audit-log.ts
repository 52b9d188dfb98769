import type { AuditConfig } from '../config/audit.ts';
import type { Log } from '../domain/log.ts';
import { type AppendLines, createAuditFile } from './audit-file.ts';

export interface AuditLog extends Pick<AuditConfig, 'whenItFails'> {
  readonly append: AppendLines;
}

/** Null where writes are not recorded. A file that can't be written is told at once, and stops only the writes. */
export async function openAuditLog(config: AuditConfig | null, log: Log): Promise<AuditLog | null> {
  if (config === null) return null;
  const { path, whenItFails } = config;
  const append = createAuditFile(path);
  const opened = await append('');
  if (!opened.ok) {
    const writes = whenItFails === 'closed' ? 'refused' : 'sent without a record';
    log('error', 'the audit log cannot be written', { path, reason: opened.error, writes });
  }
  return { append, whenItFails };
}
