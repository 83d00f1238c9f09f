import type { Incoming } from '../exchange.ts';
import { pathOf } from '../http/parseTarget.ts';
import type { Problem } from '../problem/problemBody.ts';
import { problemRpcCode, rpcError } from './rpcText.ts';

/** A refusal for asking too often, as callers of tools read it; every other problem as it is (I4.MCP.24). */
export function framedRefusal(
  { method, target }: Pick<Incoming, 'method' | 'target'>,
  problem: Problem,
): Problem {
  if (problem.status !== 429 || method !== 'POST' || pathOf(target) !== '/mcp') return problem;
  const data: unknown = JSON.parse(problem.body.toString('utf8'));
  const text = rpcError(null, { code: problemRpcCode, message: problem.code, data });
  return { ...problem, contentType: 'application/json', body: Buffer.from(text) };
}
