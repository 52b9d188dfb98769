import { readFileSync } from 'node:fs';
import { Client } from 'pg';

/** What an engine has done since it began. Null: the machine does not tell (it has to be Linux). */
export interface Work {
  readonly writtenBytes: number | null;
  /** CPU time in microseconds of processes other than this one. */
  readonly serverCpu: number | null;
}

export interface Meter {
  read(): Promise<Work>;
  close(): Promise<void>;
}

/** Looks at the engine of a database. A server has to be on this machine. */
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

const LOOK = `
  select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as written, array(select pid from pg_stat_activity) as pids`;

async function openServerMeter(databaseUrl: string): Promise<Meter> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  /** By process, also of those that have ended since: the pool closes connections that it does not need. */
  const cpu = new Map<number, number>();
  return {
    read: async () => {
      const { rows } = await client.query<ServerRow>(LOOK);
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

/** A tick of the clock that Linux counts CPU time by, in microseconds. */
const TICK = 10_000;

/** User and system time (proc(5), fields 14 and 15; the second field, a name in brackets, may hold spaces). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

function orNull(look: () => number): number | null {
  try {
    return look();
  } catch {
    return null;
  }
}
