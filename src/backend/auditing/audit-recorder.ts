import type { Log } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { AuditGap, AuditRecord } from './audit-record.ts';

export interface RecorderOptions {
  /** Comes back once the lines are where a crash can't take them; the error says why they aren't. */
  readonly append: (lines: string) => Promise<Result<void, string>>;
  readonly log: Log;
}

export interface Recorder {
  /** True where the record is in the audit log. The other log has those that are not, so that they are lost from neither. */
  record(what: Omit<AuditRecord, 'time'>): Promise<boolean>;
  /** Tells why nothing can be recorded now; where lines are missing, the audit log then has to take one that says so. */
  check(): Promise<Result<void, string>>;
}

/** Lines that are missing in the audit log, and when the first of them was. */
type Missing = Pick<AuditGap, 'since' | 'lines'>;

export function createRecorder({ append, log }: RecorderOptions): Recorder {
  let missing: Missing | null = null;
  /** Puts what is to be told of a gap before the lines. */
  const appendAfterGap = async (lines: string, time: string): Promise<Result<void, string>> => {
    const told = missing;
    missing = null;
    const appended = await append(told === null ? lines : `${lineOf({ time, phase: 'gap', ...told })}${lines}`);
    if (!appended.ok) missing = together(told, missing);
    return appended;
  };
  return {
    record: async (what) => {
      const time = new Date().toISOString();
      const line = lineOf({ time, ...what });
      const appended = await appendAfterGap(line, time);
      if (appended.ok) return true;
      missing = together(missing, { since: time, lines: 1 });
      logInParts(log, appended.error, { ...what, line });
      return false;
    },
    check: async () => {
      const appended = await appendAfterGap('', new Date().toISOString());
      return appended.ok ? ok(undefined) : err(`The audit log cannot be written (${appended.error}).`);
    },
  };
}

const lineOf = (record: AuditRecord | AuditGap): string => `${JSON.stringify(record)}\n`;

function together(one: Missing | null, other: Missing | null): Missing | null {
  if (one === null || other === null) return one ?? other;
  return { since: one.since < other.since ? one.since : other.since, lines: one.lines + other.lines };
}

/** Characters of a record in one line of the other log, which cuts longer texts. */
const PART_CHARS = 1_500;

/** Put together in their order, the parts are the line that the audit log misses, to the letter. */
function logInParts(log: Log, reason: string, { line, requestId, phase }: LinePlace): void {
  const text = line.trimEnd();
  const parts = Math.ceil(text.length / PART_CHARS);
  for (let part = 1; part <= parts; part += 1) {
    const cut = text.slice((part - 1) * PART_CHARS, part * PART_CHARS);
    log('error', 'the audit log misses a line', { reason, requestId, phase, part, parts, line: cut });
  }
}

interface LinePlace extends Pick<AuditRecord, 'requestId' | 'phase'> {
  readonly line: string;
}
