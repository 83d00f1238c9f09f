import type { ColdName } from '../../writes/coldWrites.ts';
import type { CallName } from '../calls/writerCalls.ts';
import type { Operation } from './writerProtocol.ts';

const beginning: ReadonlySet<CallName | ColdName> = new Set([
  'claim',
  'hold',
  'insertNotCharged',
  'createCheckout',
]);

const ending: ReadonlySet<CallName | ColdName> = new Set([
  'transition',
  'alias',
  'noteUnknown',
  'noteTx',
  'noteCheck',
  'endHold',
  'finishJob',
  'storeSigned',
  'applyWebhook',
]);

/** True for what begins something with money: refused while the disk is low or the queue is full (P8.8, P8.12). */
export function begins(operation: Operation): boolean {
  return isCall(operation) && beginning.has(operation.name);
}

/** True for what brings running money to its end: the reserve file is spent on it (P8.12). */
export function endsMoney(operation: Operation): boolean {
  return isCall(operation) && ending.has(operation.name);
}

function isCall(operation: Operation): operation is Extract<Operation, { kind: 'call' | 'cold' }> {
  return operation.kind === 'call' || operation.kind === 'cold';
}
