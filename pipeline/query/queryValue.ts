import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { instant } from '../../data/contract/values/instant.ts';

/** A value as a table or CSV cell shows it: exact digits, ISO dates and instants; null stays null. */
export function valueText(value: DuckDBValue): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (isNested(value)) return valueJson(value);
  return plainText(value);
}

/** A value as JSON text: integers of any size and decimals with their exact digits, NaN and infinities as null. */
export function valueJson(value: DuckDBValue): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return Number.isFinite(value) ? plainText(value) : 'null';
    case 'string':
      return JSON.stringify(value.toWellFormed());
  }
  if (value instanceof DuckDBDecimalValue) return plainText(value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return `[${value.items.map(valueJson).join(',')}]`;
  }
  if (value instanceof DuckDBStructValue) {
    const members = Object.entries(value.entries).map(
      ([name, v]) => `${JSON.stringify(name)}:${valueJson(v)}`,
    );
    return `{${members.join(',')}}`;
  }
  if (value instanceof DuckDBMapValue) {
    const entries = value.entries.map((e) => `{"key":${valueJson(e.key)},"value":${valueJson(e.value)}}`);
    return `[${entries.join(',')}]`;
  }
  return JSON.stringify(plainText(value));
}

function isNested(value: DuckDBValue): boolean {
  return (
    value instanceof DuckDBListValue ||
    value instanceof DuckDBArrayValue ||
    value instanceof DuckDBStructValue ||
    value instanceof DuckDBMapValue
  );
}

function plainText(value: DuckDBValue): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  // trailing zeros are the column's scale, not digits of the filing
  if (value instanceof DuckDBDecimalValue) return new ExactDecimal(value.value, value.scale).toString();
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return timestamp(value);
  if (value instanceof DuckDBDateValue && !value.isFinite) return value.days > 0 ? 'infinity' : '-infinity';
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
  return String(value);
}

function timestamp(value: DuckDBTimestampValue | DuckDBTimestampTZValue): string {
  const milliseconds = Number(value.micros / 1000n);
  if (Math.abs(milliseconds) > 8.64e15) return String(value);
  const micros = value.micros % 1_000_000n;
  const seconds = instant(milliseconds);
  if (micros === 0n) return seconds;
  const fraction = (micros < 0n ? micros + 1_000_000n : micros)
    .toString()
    .padStart(6, '0')
    .replace(/0+$/, '');
  return seconds.replace('Z', `.${fraction}Z`);
}
