import { readFileSync } from 'node:fs';
import { type Behaviour, endless, gzipBomb } from '../support/faulty-service.ts';

const MB = 1024 * 1024;

/** An answer that may be as large as answers may be, of as many values as fit. */
function filled(value: string): Behaviour {
  const body = Buffer.from(`{"success":true,"data":[${value}${`,${value}`.repeat((9.9 * MB) / (value.length + 1))}]}`);
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
}

/** What could fill the memory of whoever reads it. */
export const LARGE_ANSWERS: Readonly<Record<string, Behaviour>> = {
  'bodies without end': endless(),
  'gzip bombs of 100 MB': gzipBomb(100 * MB),
  '9.9 MB of text': filled(`"${'x'.repeat(MB)}"`),
  '9.9 MB of empty lists': filled('[]'),
  '9.9 MB of objects': filled('{"a":{}}'),
};

/** The most memory that a process has had, in MB; null where the system does not tell. */
export function peakMemoryOf(pid: number): number | null {
  try {
    const [, kB] = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kB === undefined ? null : Math.round(Number(kB) / 1024);
  } catch {
    return null;
  }
}
