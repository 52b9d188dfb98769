import type { AuditConfig } from '../../config/audit.ts';
import type { Log } from '../../domain/log.ts';
import { toPrintableJson } from '../../domain/printable.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type AppendLines, createAuditFile } from './audit-file.ts';

export interface AuditLog extends Pick<AuditConfig, 'failureMode'> {
  readonly append: AppendLines;
}

/** Null when writes are not recorded. Fails if the file cannot be opened and every write would be refused. */
export async function openAuditLog(config: AuditConfig | null, log: Log): Promise<Result<AuditLog | null, string>> {
  if (config === null) return ok(null);
  const { path, failureMode } = config;
  const append = createAuditFile(path, log);
  const opened = await append('');
  if (!opened.ok && failureMode === 'closed') {
    return err(
      `AUDIT_LOG is ${toPrintableJson(path)}, which cannot be written (${opened.error}): no write would be taken`,
    );
  }
  if (!opened.ok) {
    log('error', 'the audit log cannot be written', { path, reason: opened.error, writes: 'sent without a record' });
  }
  return ok({ append, failureMode });
}
