import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { chargeStatuses } from '../../../data/contract/billing/billingEnvelope.ts';
import { receiptTransitions, statusesOfMode } from '../../../data/contract/billing/receiptTransitions.ts';
import { applySchema } from '../sqlite/schema/applySchema.ts';
import { statusFitsMode } from './ledgerSchema.ts';

const schemas = ['../sqlite/schema/ledger.sql', '../postgres/schema/ledger.sql'];
const database = new DatabaseSync(':memory:');
applySchema(database);

test('the transition table of a new ledger has the steps of the contract (I3.2)', () => {
  const rows = database.prepare('SELECT * FROM receipt_transitions').all();
  const steps = rows.map((row) => `${row['from_status']}>${row['to_status']} ${row['actor_class']}`);
  const lawful = receiptTransitions.flatMap(({ from, to, by }) =>
    by.map((actor) => `${from ?? ''}>${to} ${actor}`),
  );
  expect(steps.sort()).toEqual(lawful.sort());
});

test.each([...schemas, 'the rule of the books'])(
  'a state fits its mode in %s as in the contract (I3.10)',
  (name) => {
    const check = schemas.includes(name)
      ? /CHECK \((CASE settlement_mode.*?END)\)/s.exec(
          readFileSync(new URL(name, import.meta.url), 'utf8'),
        )?.[1]
      : statusFitsMode;
    const fits = database.prepare(
      `SELECT ${check} AS fits FROM (SELECT $mode AS settlement_mode, $status AS charge_status)`,
    );
    for (const [mode, statuses] of Object.entries(statusesOfMode)) {
      const held = chargeStatuses.filter(
        (status) => fits.get({ $mode: mode, $status: status })?.['fits'] === 1,
      );
      expect(new Set(held), mode).toEqual(new Set(statuses));
    }
  },
);
