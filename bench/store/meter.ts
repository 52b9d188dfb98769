import { readFileSync } from 'node:fs';
import { Client } from 'pg';

/** The work of an engine since its start. Null when it cannot be read, as on machines other than Linux. */
export interface Work {
  readonly writtenBytes: number | null;
  /** CPU time of other processes, in microseconds. */
  readonly serverCpu: number | null;
}

export interface Meter {
  read(): Promise<Work>;
  close(): Promise<void>;
}

/** Opens a meter for the engine of a database. A server must run on this machine. */
export const openMeter = (databaseUrl: string): Promise<Meter> =>
  databaseUrl.startsWith('sqlite:') ? Promise.resolve(ownProcess) : openServerMeter(databaseUrl);

const ownProcess: Meter = {
  read: async () => ({ writtenBytes: orNull(() => bytesWritten()), serverCpu: null }),
  close: async () => {},
};

const bytesWritten = (): number => Number(/^wchar: (\d+)$/mu.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

interface ServerRow {
  readonly written: string;
  readonly pids: readonly number[];
}

const USAGE_QUERY = `
  select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as written, array(select pid from pg_stat_activity) as pids`;

async function openServerMeter(databaseUrl: string): Promise<Meter> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  /** Keyed by process ID. Ended processes are kept, because the pool closes connections that it does not need. */
  const cpu = new Map<number, number>();
  return {
    read: async () => {
      const { rows } = await client.query<ServerRow>(USAGE_QUERY);
      const [{ written, pids } = { written: '0', pids: [] }] = rows;
      const serverCpu = orNull(() => {
        for (const pid of pids) cpu.set(pid, cpuOf(pid));
        return cpu.values().reduce((sum, used) => sum + used, 0);
      });
      return { writtenBytes: Number(written), serverCpu };
    },
    close: () => client.end(),
  };
}

/** The unit of CPU time in Linux's /proc, in microseconds. */
const TICK = 10_000;

/** User and system time (proc(5), fields 14 and 15; the second field, a name in brackets, may hold spaces). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

function orNull(read: () => number): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}
