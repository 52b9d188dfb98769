import { checkStore } from '../../backend/open-backend.ts';
import type { Log } from '../../base/log.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Config } from '../../config.ts';
import { type Access, openAccess } from '../access/access.ts';
import { type AuditLog, openAuditLog } from '../audit/audit-log.ts';
import { openPersistedDocuments, type SubgraphDocuments } from '../persisted-documents.ts';
import { maxUpstreamCallsOf } from './configured-app.ts';

/** The parts that every process which serves opens before its backend. */
export interface GatewayInputs {
  readonly audit: AuditLog | null;
  readonly documents: SubgraphDocuments;
  readonly access: Access;
}

interface InputOptions {
  readonly config: Config;
  /** The text of the trusted documents; null when there are none. */
  readonly manifest: string | null;
  readonly log: Log;
}

/**
 * Opens the audit log, checks the documents and the store, and opens the tokens last, of which one may be generated. The
 * error, or the message of an Error that is thrown, is the reason for people.
 */
export async function openGatewayInputs(options: InputOptions): Promise<Result<GatewayInputs, string>> {
  const { config, manifest, log } = options;
  const audit = await openAuditLog(config.audit, log);
  if (!audit.ok) return audit;
  const documents = openPersistedDocuments(config, maxUpstreamCallsOf(config), manifest);
  if (!documents.ok) return documents;
  await checkStore(config.backend);
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  return ok({ audit: audit.value, documents: documents.value, access: access.value });
}
