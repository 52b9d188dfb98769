import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqliteFailureOf } from '../../../../src/store/database/sqlite/errors.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** An error as SQLite raises it, with its extended result code. */
const raised = (errcode: number) => Object.assign(new Error('SQLite'), { errcode });

describe('a failure of SQLite', () => {
  it('has the name of its code, of a full, a read-only and a missing file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-sqlite-errors-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'kb.db');
    const database = new DatabaseSync(path);
    database.exec('create table texts (text)');
    database.exec('pragma max_page_count = 2');
    const full = thrownBy(() => database.exec('insert into texts values (hex(zeroblob(100000)))'));
    database.close();
    const reader = new DatabaseSync(path, { readOnly: true });
    const readOnly = thrownBy(() => reader.exec("insert into texts values ('a')"));
    reader.close();
    const missing = thrownBy(() => new DatabaseSync(join(folder, 'missing', 'kb.db')));
    expect([full, readOnly, missing].map(sqliteFailureOf)).toEqual([
      { kind: 'refused', code: 'SQLITE_FULL' },
      { kind: 'refused', code: 'SQLITE_READONLY' },
      { kind: 'refused', code: 'SQLITE_CANTOPEN' },
    ]);
  });

  it('says what an I/O error was', () => {
    expect(sqliteFailureOf(raised(1034))).toEqual({ kind: 'uncertain', code: 'SQLITE_IOERR_FSYNC' });
    expect(sqliteFailureOf(raised(10))).toEqual({ kind: 'uncertain', code: 'SQLITE_IOERR' });
    expect(sqliteFailureOf(raised(1))).toBeNull();
  });
});
