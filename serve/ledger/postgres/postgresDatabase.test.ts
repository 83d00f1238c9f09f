import pg from 'pg';
import { expect, test } from 'vitest';
import { failureOf, postgresDatabase } from './postgresDatabase.ts';

function databaseError(code: string): Error {
  const error = new pg.DatabaseError('refused by the database', 1, 'error');
  error.code = code;
  return error;
}

test.each([
  ['57P01', 'unknown_outcome', 'a shut-down'],
  ['08006', 'unknown_outcome', 'a broken connection'],
  ['57014', 'not_sent', 'a statement that took too long'],
  ['40P01', 'not_sent', 'a deadlock'],
  ['53100', 'not_sent', 'a full disk (X47)'],
  ['23505', 'refused', 'a unique value taken'],
  ['P0001', 'refused', 'an illegal transition'],
])('SQLSTATE %s is %s: %s (P8.16)', (code, failure) => {
  expect(failureOf(databaseError(code))).toBe(failure);
});

test('an error of the driver or the network leaves the outcome unknown', () => {
  expect(failureOf(new Error('Connection terminated unexpectedly'))).toBe('unknown_outcome');
  expect(failureOf(new Error('Query read timeout'))).toBe('unknown_outcome');
});

test('a database without a listener was not sent anything (X49)', async () => {
  // port 9 of loopback discards nothing here: the connection is refused
  const database = postgresDatabase({
    connection: 'postgres://ledger@127.0.0.1:9/ledger',
    application: 'test',
  });
  await expect(database.rows('SELECT 1')).rejects.toMatchObject({ code: 'settlement_unavailable' });
  expect(database.unreachable).toBeInstanceOf(Error);
  await expect(database.client()).rejects.toMatchObject({ code: 'settlement_unavailable' });
  await database.close();
});
