import { readingText } from '../../contract/tools/readingText.ts';
import type { FollowUpCall } from '../../contract/tools/toolResult.ts';
import type { Coding } from '../body/openBodies.ts';
import { type SplicedBody, splice } from '../body/splice.ts';
import type { RpcId } from './readFrames.ts';
import { escaped, type ToolBody } from './toolBody.ts';

/** Where the data comes from, and how old it is (I4.MCP.15). */
export type Provenance = {
  readonly source_date: string | null;
  readonly computed_at_utc: string | null;
  readonly artifact_version: string | null;
  readonly evidence_hash: string | null;
  readonly freshness_window_hours: number | null;
  readonly age_minutes: number | null;
};

/** What one call adds to a prepared result. */
export type ResultCall = {
  readonly id: RpcId;
  /** Members that the data gets when it is sent, with a comma after each, or nothing (I4.29). */
  readonly serveTime: Readonly<Record<string, unknown>>;
  readonly provenance: Provenance;
  /** `usage_metadata`, `billing`, `settlement_receipt`, `response_metadata`. */
  readonly accounts: Readonly<Record<string, unknown>>;
  readonly caveats: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
};

/**
 * Completes a prepared result: structured content first, then the reading text and the serialization of the structured
 * content, so that the stored bytes are sent from where they lie.
 */
export function finishResult(body: ToolBody, call: ResultCall, coding: Coding): SplicedBody {
  const added = JSON.stringify(call.serveTime).slice(1, -1);
  const { provenance, accounts } = call;
  const rest = JSON.stringify({ provenance, suggested_follow_ups: body.followUps, ...accounts }).slice(1);
  const closing = `${added === '' ? '' : `,${added}`}},${rest}`;
  const text = JSON.stringify(readingText(body.figures, tailOf(body.followUps, call)));
  return splice({
    bodies: body.bodies,
    coding,
    suffix: [
      `${closing},"content":[{"type":"text","text":${text}},{"type":"text","text":"`,
      body.escaped,
      `${escaped(closing)}"}],"isError":false,"_meta":${JSON.stringify(call.meta)}},"id":${JSON.stringify(call.id)}}`,
    ],
  });
}

function tailOf(followUps: readonly FollowUpCall[], { serveTime, provenance, caveats }: ResultCall): string {
  const told = Object.entries(serveTime)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`);
  const next = followUps.slice(0, 2).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
  return [
    ...(told.length === 0 ? [] : [`${told.join('; ')}.`]),
    ...ageLine(provenance),
    ...(caveats.length === 0 ? [] : [`Caveats: ${caveats.join(', ')}.`]),
    ...(next.length === 0 ? [] : [`Next: ${next.join(' or ')}.`]),
  ].join('\n');
}

function ageLine({
  source_date: date,
  computed_at_utc: computed,
  age_minutes: age,
  freshness_window_hours: window,
}: Provenance): string[] {
  if (date === null) return [];
  const when = computed === null ? '' : `, computed ${computed}`;
  const old = age === null ? '' : `, ${age} minutes old`;
  if (age === null || window === null) return [`Slice ${date}${when}${old}.`];
  const fresh = age <= window * 60 ? 'within' : 'beyond';
  return [`Slice ${date}${when}${old}, ${fresh} its freshness window of ${window} hours.`];
}
