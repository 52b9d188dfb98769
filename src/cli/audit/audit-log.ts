import type { AuditConfig } from '../../config/audit.ts';
import type { Log } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type AppendLines, createAuditFile } from './audit-file.ts';

export interface AuditLog extends Pick<AuditConfig, 'whenItFails'> {
  readonly append: AppendLines;
}

/** Null where writes are not recorded. Fails where the file can't be opened and every write would be refused for that. */
export async function openAuditLog(config: AuditConfig | null, log: Log): Promise<Result<AuditLog | null, string>> {
  if (config === null) return ok(null);
  const { path, whenItFails } = config;
  const append = createAuditFile(path, log);
  const opened = await append('');
  if (!opened.ok && whenItFails === 'closed') {
    return err(
      `AUDIT_LOG is ${JSON.stringify(path)}, which cannot be written (${opened.error}): no write would be taken`,
    );
  }
  if (!opened.ok) {
    log('error', 'the audit log cannot be written', { path, reason: opened.error, writes: 'sent without a record' });
  }
  return ok({ append, whenItFails });
}
