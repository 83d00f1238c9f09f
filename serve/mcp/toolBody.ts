import {
  exactTokens,
  printedToken,
  type TokenValue,
  tokenAt,
} from '../../data/contract/tools/exactTokens.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import {
  ageInUnits,
  ageInWords,
  prepareReading,
  readingText,
} from '../../data/contract/tools/readingText.ts';
import { type FollowUpCall, followUpCall } from '../../data/contract/tools/toolResult.ts';
import { type Coding, type OpenBodies, openBodies } from '../body/openBodies.ts';
import { type ConstantPiece, constantPiece, type SplicedBody, splice } from '../body/splice.ts';
import type { RpcId } from './jsonRpc.ts';

/** Where the data comes from (I4.MCP.15), without its age, which every call prints itself. */
export type Provenance = {
  readonly source_date: string | null;
  readonly computed_at_utc: string | null;
  readonly artifact_version: string | null;
  readonly evidence_hash: string | null;
  readonly freshness_window_hours: number | null;
};

/** What the result of a tool call consists of before anything of the call is known. */
export type ToolBody = {
  /** The frame up to the last stored member of `data`. */
  readonly bodies: OpenBodies;
  /** The same part of the structured content as it stands inside a JSON string. */
  readonly escaped: ConstantPiece;
  readonly reading: ReadingPrinter;
  readonly followUps: readonly FollowUpCall[];
  /** Bytes of `data` so far. */
  readonly dataBytes: number;
  /** Rows of its list; null where it has none to page through. */
  readonly rowCount: number | null;
  readonly evidenceHash: string | null;
};

/** What comes before the structured content of a result. */
export const resultStart = '{"jsonrpc":"2.0","result":{"structuredContent":';

/** What a result is about. */
export type BodyInput = {
  readonly offered: OfferedTool;
  /** Names of the tools a follow-up may name. */
  readonly names: ReadonlySet<string>;
  /** The data as stored, without its closing brace. */
  readonly open: Buffer;
  readonly subject: string | null;
  readonly sourceDate: string | null;
  /** Arguments of the call. */
  readonly asked: FollowUpCall['args'];
};

/** Prepares the result of a tool from its data, once for all calls; the stored bytes go in as they are. */
export function toolBody({ offered, names, open, subject, sourceDate, asked }: BodyInput): ToolBody {
  const { tool, schemaId } = offered;
  const text = open.toString('utf8');
  const data = exactTokens(`${text}}`);
  const said = prepareReading({ title: tool.title, schemaId, subject, sourceDate, data });
  const followUps = [
    ...nextPage(offered, asked, data),
    ...tool.next.flatMap((next) => (names.has(next.tool) ? (followUpCall(next, data) ?? []) : [])),
  ];
  const content = `{"mcp_summary":${JSON.stringify(said.summary)},"data":${text}${compaction(offered, data)}`;
  return {
    bodies: openBodies({ open: Buffer.from(`${resultStart}${content}`) }),
    escaped: lazyPiece(() => escaped(content)),
    reading: readingPrinter(said.figures, followUps),
    followUps,
    dataBytes: Buffer.byteLength(content),
    rowCount: pageOf(offered, data)?.count ?? null,
    evidenceHash: hashOf(data),
  };
}

// the delta is shown as a watch list; where a list goes on, the data says so (I4.MCP.16)
function compaction({ route }: OfferedTool, data: TokenValue): string {
  if (route?.id !== 'R02') return '';
  const goesOn = ['changed_companies_page.has_more', 'new_companies_page.has_more'].some(
    (path) => tokenAt(data, path) === true,
  );
  const note = 'A list goes on: call again with a greater offset.';
  return `,"mcp_payload_mode":"monitoring"${goesOn ? `,"mcp_compaction_note":${JSON.stringify(note)}` : ''}`;
}

/** The next page of a list is the same call with a greater offset. */
function nextPage(offered: OfferedTool, asked: FollowUpCall['args'], data: TokenValue): FollowUpCall[] {
  const page = pageOf(offered, data);
  if (page === null || page.count === 0 || page.offset + page.count >= page.total) return [];
  const args = { ...asked, limit: page.limit, offset: page.offset + page.count };
  return [{ tool: offered.tool.name, args }];
}

type Page = {
  readonly offset: number;
  readonly count: number;
  readonly total: number;
  readonly limit: number;
};

/** What a list says of its page; null where the tool has no pages. */
function pageOf({ route }: OfferedTool, data: TokenValue): Page | null {
  if (route?.params.some(({ name }) => name === 'offset') !== true) return null;
  for (const at of ['', 'meta.', 'page.', 'changed_companies_page.']) {
    const [offset, count, total, limit] = ['offset', 'count', 'total', 'limit'].map((name) =>
      Number(printedToken(tokenAt(data, `${at}${name}`)) ?? Number.NaN),
    );
    if (offset === undefined || count === undefined || total === undefined || limit === undefined) continue;
    if (![offset, count, total, limit].some(Number.isNaN)) return { offset, count, total, limit };
  }
  return null;
}

function hashOf(data: TokenValue): string | null {
  const found = tokenAt(data, 'evidence_hash');
  return typeof found === 'string' ? found : null;
}

/** What one call adds to a prepared result. */
export type ResultCall = {
  readonly id: RpcId;
  /** Members that the data gets when it is sent (I4.29). */
  readonly serveTime: Readonly<Record<string, unknown>>;
  readonly provenance: Provenance;
  /** Minutes since the data was computed. */
  readonly ageMinutes: number | null;
  /** The rest of the structured content: what follows the age, the accounts of the call, and the brace after them. */
  readonly accounts: readonly (TwinPiece | string)[];
  readonly caveats: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
};

/**
 * Completes a prepared result: structured content first, then the reading text and the serialization of the structured
 * content. Both are put together from the same pieces; what no call changes is sent from where it lies, plain and quoted.
 */
export function finishResult(body: ToolBody, call: ResultCall, coding: Coding): SplicedBody {
  const added = JSON.stringify(call.serveTime).slice(1, -1);
  const told = `${added === '' ? '' : `,${added}`}},"provenance":{${JSON.stringify(ageInUnits(call.ageMinutes)).slice(1, -1)},`;
  const pieces = [told, ...call.accounts];
  return splice({
    bodies: body.bodies,
    coding,
    suffix: [
      ...pieces.map((piece) => (typeof piece === 'string' ? piece : piece.plain)),
      `,"content":[{"type":"text","text":${body.reading(call)}},{"type":"text","text":"`,
      body.escaped,
      ...pieces.map((piece) => (typeof piece === 'string' ? escaped(piece) : piece.inText)),
      `"}],"isError":false,"_meta":${JSON.stringify(call.meta)}},"id":${JSON.stringify(call.id)}}`,
    ],
  });
}

/** What a reading text says beside its figures. */
type Said = {
  /** Members that the data gets when it is sent (I4.29). */
  readonly serveTime: Readonly<Record<string, unknown>>;
  readonly provenance: Provenance;
  /** Minutes since the data was computed. */
  readonly ageMinutes: number | null;
  readonly caveats: readonly string[];
};

/** Prints the reading text of a result, quoted as JSON. */
type ReadingPrinter = (said: Said) => string;

/** Makes the printer of one prepared result; calls that say the same get the text of the one before. */
export function readingPrinter(figures: string, followUps: readonly FollowUpCall[]): ReadingPrinter {
  const next = followUps.slice(0, 2).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
  const goesOn = next.length === 0 ? [] : [`Next: ${next.join(' or ')}.`];
  let last: { readonly said: Said; readonly text: string } | null = null;
  return (said) => {
    if (last !== null && isSame(last.said, said)) return last.text;
    const tail = [...told(said.serveTime), ...ageLine(said), ...caveatLine(said), ...goesOn].join('\n');
    const text = JSON.stringify(readingText(figures, tail));
    last = { said, text };
    return text;
  };
}

function isSame(before: Said, { serveTime, provenance, ageMinutes, caveats }: Said): boolean {
  return (
    before.ageMinutes === ageMinutes &&
    before.caveats === caveats &&
    hasSameMembers(before.provenance, provenance) &&
    hasSameMembers(before.serveTime, serveTime)
  );
}

function hasSameMembers(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

// the age has a line of its own, and how the call was served says nothing of the data
const quiet = new Set(['age_minutes', 'latency_ms', 'cache_hit', 'free_tier_applied']);

function told(serveTime: Said['serveTime']): string[] {
  const shown = Object.entries(serveTime)
    .filter(([name, value]) => !quiet.has(name) && ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`);
  return shown.length === 0 ? [] : [`${shown.join('; ')}.`];
}

function caveatLine({ caveats }: Said): string[] {
  return caveats.length === 0 ? [] : [`Caveats: ${caveats.join(', ')}.`];
}

function ageLine({ provenance, ageMinutes: age }: Said): string[] {
  const { source_date: date, computed_at_utc: computed, freshness_window_hours: window } = provenance;
  if (date === null) return [];
  const when = computed === null ? '' : `, computed ${computed}`;
  const words = ageInWords(ageInUnits(age));
  const old = words === null ? '' : `, ${words} old`;
  if (age === null || window === null) return [`Slice ${date}${when}${old}.`];
  const fresh = age <= window * 60 ? 'within' : 'beyond';
  return [`Slice ${date}${when}${old}, ${fresh} its freshness window of ${window} hours.`];
}

/** What follows the age in every result of a body: the rest of the provenance, and the follow-ups with a comma. */
export function resultLead(provenance: Provenance, followUps: readonly FollowUpCall[]): string {
  return `${JSON.stringify(provenance).slice(1)},"suggested_follow_ups":${JSON.stringify(followUps)},`;
}

/** A constant text of a result in its two places: in the structured content, and in the serialization of that. */
export type TwinPiece = { readonly plain: ConstantPiece; readonly inText: ConstantPiece };

/** Prepares a constant text for both places. */
export function twinPiece(text: string): TwinPiece {
  return { plain: constantPiece(text), inText: constantPiece(escaped(text)) };
}

/** A text as it stands inside a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A long piece of a suffix, made in a coding when that is first asked for: most are never sent. */
export function lazyPiece(print: () => string): ConstantPiece {
  let text: Buffer | null = null;
  let made: ConstantPiece | null = null;
  const coded = (): ConstantPiece => {
    made ??= constantPiece(print());
    return made;
  };
  return {
    short: null,
    get text() {
      text ??= Buffer.from(print());
      return text;
    },
    get deflated() {
      return coded().deflated;
    },
    get crc() {
      return coded().crc;
    },
    get frame() {
      return coded().frame;
    },
  };
}
