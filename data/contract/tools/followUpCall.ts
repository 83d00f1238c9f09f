import { printedToken, type TokenValue, tokenAt } from './exactTokens.ts';
import type { FollowUp } from './intelTools.ts';
import type { FollowUpCall } from './toolResult.ts';

/** The call that goes on from an answer; null where the data lacks one of its arguments. */
export function followUpCall({ tool, args }: FollowUp, data: TokenValue): FollowUpCall | null {
  const entries = Object.entries(args).map(([name, path]) => [name, printedToken(tokenAt(data, path))]);
  if (entries.some(([, value]) => value === null)) return null;
  return { tool, args: Object.fromEntries(entries) as FollowUpCall['args'] };
}
