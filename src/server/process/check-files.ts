import { err, ok, type Result } from '../../core/base/result.ts';
import type { Config } from '../config.ts';
import { checkTokenFile } from './access.ts';
import { checkAuditLog } from './audit-log.ts';

/**
 * Checks the keys and the log that settings name, and writes nothing. The error lists all files that would prevent a
 * start, including those of trusted documents. The warnings are about other files. With `hasHost`, a host identifies
 * the callers.
 */
export async function checkFiles<Documents>(
  config: Config,
  documents: Result<Documents, string>,
  hasHost = false,
): Promise<Result<{ readonly documents: Documents; readonly warnings: readonly string[] }, string>> {
  const ofLog = config.audit === null ? ok(null) : await checkAuditLog(config.audit);
  const checks = [await checkClientKey(config), checkTokenFile(config, hasHost), ofLog, documents];
  const problems = checks.flatMap((check) => (check.ok ? [] : [check.error]));
  if (!documents.ok || !ofLog.ok || problems.length > 0) return err(problems.join('\n'));
  return ok({ documents: documents.value, warnings: ofLog.value === null ? [] : [ofLog.value] });
}

async function checkClientKey({ clients }: Config): Promise<Result<unknown, string>> {
  if (clients === null || !('publicKey' in clients.keys)) return ok(null);
  // The libraries for JWTs are loaded only where they are used, since they have many modules.
  const { openPublicKey } = await import('../auth/client-auth.ts');
  return openPublicKey(clients.keys.publicKey, clients.keys.setting);
}
