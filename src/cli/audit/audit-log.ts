import type { Log } from '../../base/log.ts';
import { toPrintableJson } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { AuditConfig } from '../../config.ts';
import { type AppendLines, createAuditFile } from './audit-file.ts';

export interface AuditLog extends Pick<AuditConfig, 'failureMode'> {
  readonly append: AppendLines;
}

/** Null when writes are not recorded. Fails if the file cannot be opened and every write would be refused. */
export async function openAuditLog(config: AuditConfig | null, log: Log): Promise<Result<AuditLog | null, string>> {
  if (config === null) return ok(null);
  const { path, failureMode, setting } = config;
  const append = createAuditFile(path, log);
  const opened = await append('');
  if (!opened.ok && failureMode === 'closed') {
    return err(
      `${setting} is ${toPrintableJson(path)}, which cannot be written (${opened.error}): no write would be taken`,
    );
  }
  if (!opened.ok) {
    log('error', 'the audit log cannot be written', { path, reason: opened.error, writes: 'sent without a record' });
  }
  return ok({ append, failureMode });
}
