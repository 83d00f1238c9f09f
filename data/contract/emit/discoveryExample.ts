import { payloads, type SchemaId } from '../payloads/payloads.ts';

/** What a discovery catalogue shows of the answer of a route; null for a route without a payload (P2.2). */
export function discoveryExample(schemaId: string | null): object | null {
  return Object.hasOwn(payloads, schemaId ?? '') ? payloads[schemaId as SchemaId].excerpt : null;
}
