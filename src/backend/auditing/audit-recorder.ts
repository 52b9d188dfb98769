import type { Log } from '../../base/log.ts';
import { toPrintableJson } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { AuditGap, AuditRecord } from './audit-record.ts';

export interface AuditRecorderOptions {
  /** Resolves when the lines are safe from a crash; the error is the reason why they are not. */
  readonly append: (lines: string) => Promise<Result<void, string>>;
  readonly log: Log;
}

export interface AuditRecorder {
  /** Returns false when the audit log could not take the record, which is then in the gateway's own log. */
  record(entry: Omit<AuditRecord, 'time'>): Promise<boolean>;
  /** Checks that the audit log can be written, by appending the line about a gap if lines are missing. */
  checkWritable(): Promise<Result<void, string>>;
}

type MissingLines = Pick<AuditGap, 'since' | 'lines'>;

export function createAuditRecorder({ append, log }: AuditRecorderOptions): AuditRecorder {
  let missing: MissingLines | null = null;
  /** Appends lines, after one about the gap if lines are missing. */
  const appendAfterGap = async (lines: string, time: string): Promise<Result<void, string>> => {
    const reported = missing;
    missing = null;
    const appended = await append(reported === null ? lines : `${lineOf({ time, phase: 'gap', ...reported })}${lines}`);
    if (!appended.ok) missing = mergeMissing(reported, missing);
    return appended;
  };
  return {
    record: async (entry) => {
      const time = new Date().toISOString();
      const line = lineOf({ time, ...entry });
      const appended = await appendAfterGap(line, time);
      if (appended.ok) return true;
      missing = mergeMissing(missing, { since: time, lines: 1 });
      logInParts(log, appended.error, { ...entry, line });
      return false;
    },
    checkWritable: async () => {
      const appended = await appendAfterGap('', new Date().toISOString());
      return appended.ok ? ok(undefined) : err(`The audit log cannot be written (${appended.error}).`);
    },
  };
}

const lineOf = (record: AuditRecord | AuditGap): string => `${toPrintableJson(record)}\n`;

function mergeMissing(one: MissingLines | null, other: MissingLines | null): MissingLines | null {
  if (one === null || other === null) return one ?? other;
  return { since: one.since < other.since ? one.since : other.since, lines: one.lines + other.lines };
}

/** Characters of a record in one line of the gateway's own log, which cuts longer texts. */
const PART_CHARS = 1_500;

/** The parts joined in order are exactly the missing line. */
function logInParts(log: Log, reason: string, { line, requestId, phase }: UnrecordedLine): void {
  const text = line.trimEnd();
  const parts = Math.ceil(text.length / PART_CHARS);
  for (let part = 1; part <= parts; part += 1) {
    const cut = text.slice((part - 1) * PART_CHARS, part * PART_CHARS);
    log('error', 'the audit log misses a line', { reason, requestId, phase, part, parts, line: cut });
  }
}

interface UnrecordedLine extends Pick<AuditRecord, 'requestId' | 'phase'> {
  readonly line: string;
}
