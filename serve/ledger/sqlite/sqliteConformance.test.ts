import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { writerHere } from '../../../fixtures/rigs/ledger/writerHere.ts';
import { everySuite } from '../../../fixtures/rigs/ledgerConformance/everySuite.ts';
import type { LedgerUnderTest } from '../../../fixtures/rigs/ledgerConformance/underTest.ts';
import { systemTime } from '../openLedger.ts';
import type { Ledger } from '../port/ledger.ts';
import { openDatabase } from './schema/openDatabase.ts';
import { sqliteLedger } from './sqliteLedger.ts';
import { type SpawnWriter, threadWriter } from './writer/writerProtocol.ts';

const sqlite: LedgerUnderTest = {
  name: 'sqlite',
  start: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
    const path = join(directory, 'ledger.db');
    const opened: Ledger[] = [];
    const open = async (spawn: SpawnWriter) => {
      const ledger = sqliteLedger({
        path,
        spawn,
        time: systemTime,
        log: () => {},
        onFatal: (error) => {
          throw error;
        },
      });
      await ledger.open();
      opened.push(ledger);
      return ledger;
    };
    return {
      ledger: await open(writerHere(path)),
      // the other server has its writer in a thread, as every server has
      second: () => open(threadWriter({ path })),
      run: async (sql) => {
        const database = openDatabase({ path, mode: 'write' });
        try {
          return database.prepare(sql).all();
        } finally {
          database.close();
        }
      },
      stop: async () => {
        for (const ledger of opened) await ledger.close();
        rmSync(directory, { recursive: true });
      },
    };
  },
};

// each in a scope of its own: the hooks of one are not those of the others
for (const suite of everySuite) describe(suite.name, () => suite(sqlite));
