import { caveatSentence } from '../../data/contract/meanings/noteMeanings.ts';
import type { ListPage } from '../../data/contract/routes/answer.ts';
import {
  type CutObject,
  exactTokens,
  printedToken,
  type TokenObject,
  type TokenValue,
  tokenAt,
  tokenJson,
  withoutMembers,
  withShortRows,
} from '../../data/contract/tools/exactTokens.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import {
  ageInUnits,
  ageInWords,
  prepareReading,
  readingText,
} from '../../data/contract/tools/readingText.ts';
import { resultMeta } from '../../data/contract/tools/toolProtocol.ts';
import {
  type FollowUpCall,
  followUpCall,
  type ToolProvenance,
} from '../../data/contract/tools/toolResult.ts';
import { type Coding, openBodies } from '../body/openBodies.ts';
import { type ConstantPiece, constantPiece, type SplicedBody, splice } from '../body/splice.ts';
import type { RpcId } from './jsonRpc.ts';

/** Where the data comes from (I4.MCP.15), without its age, which every call prints itself. */
export type Provenance = Readonly<Omit<ToolProvenance, 'age_minutes' | 'age_hours' | 'age_days'>>;

/** What the result of a tool call consists of before anything of the call is known. */
export type ToolBody = {
  /** The structured content up to the last stored member of `data`. */
  readonly structured: ConstantPiece;
  readonly reading: ReadingPrinter;
  readonly followUps: readonly FollowUpCall[];
  /** Bytes of `data` so far. */
  readonly dataBytes: number;
  /** Rows of its list; null where it has none to page through. */
  readonly rowCount: number | null;
  readonly evidenceHash: string | null;
};

// the text is first: a host that shows an answer cut off shows what it says
const resultStart = openBodies({
  open: Buffer.from('{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":'),
});
const beforeStructured = '}],"structuredContent":';

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
  const whole = open.toString('utf8');
  const { data, cut } = inBrief(exactTokens(`${whole}}`) as TokenObject, offered, asked);
  const text = cut.length === 0 ? whole : tokenJson(data).slice(0, -1);
  const said = prepareReading({ title: tool.title, schemaId, subject, sourceDate, data });
  const followUps = [
    ...nextPage(offered, asked, data),
    ...tool.next.flatMap((next) => (names.has(next.tool) ? (followUpCall(next, data) ?? []) : [])),
  ];
  const content = `{"mcp_summary":${JSON.stringify(said.summary)},"data":${text}${compaction(offered, { data, cut })}`;
  return {
    structured: structuredPiece(content),
    reading: readingPrinter([said.figures, ...moreRows(offered, data)].join('\n'), followUps),
    followUps,
    dataBytes: Buffer.byteLength(content),
    rowCount: pageOf(offered, data)?.count ?? null,
    evidenceHash: hashOf(data),
  };
}

/** The data without what a call in brief leaves out (I4.MCP.35). */
function inBrief(data: TokenObject, { tool }: OfferedTool, asked: FollowUpCall['args']): CutObject {
  const { leftOut = [], shortRows } = tool;
  if (asked['detail'] !== undefined) return { data, cut: [] };
  if (shortRows !== undefined) return withShortRows(data, shortRows);
  return withoutMembers(data, (name) => leftOut.includes(name));
}

// the delta is shown as a watch list; where something is omitted or a list goes on, the data says so (I4.MCP.35)
function compaction(
  offered: OfferedTool,
  { data, cut }: { data: TokenValue; cut: readonly string[] },
): string {
  const isDelta = offered.route?.id === 'R02';
  const goesOn = ['changed_companies_page.has_more', 'new_companies_page.has_more'].some(
    (path) => isDelta && tokenAt(data, path) === true,
  );
  const leftOut = offered.tool.shortRows === undefined ? cut.join(', ') : `${cut.length} members of each row`;
  const note = [
    ...(goesOn ? ['A list goes on: call again with a greater offset.'] : []),
    ...(cut.length === 0 ? [] : [`Left out: ${leftOut}; call again with detail full.`]),
  ].join(' ');
  const mode = isDelta ? ',"mcp_payload_mode":"monitoring"' : '';
  return `${mode}${note === '' ? '' : `,"mcp_compaction_note":${JSON.stringify(note)}`}`;
}

/** Says how to ask for more, in numbers of the answer. */
function moreRows(offered: OfferedTool, data: TokenValue): string[] {
  const page = pageOf(offered, data);
  if (page === null || page.count === 0 || page.offset + page.count >= page.total) return [];
  return [
    `${page.count} of ${page.total} rows: for more send offset ${page.offset + page.count}, or a greater limit.`,
  ];
}

/** The next page of a list is the same call with a greater offset. */
function nextPage(offered: OfferedTool, asked: FollowUpCall['args'], data: TokenValue): FollowUpCall[] {
  const page = pageOf(offered, data);
  if (page === null || page.count === 0 || page.offset + page.count >= page.total) return [];
  const args = { ...asked, limit: page.limit, offset: page.offset + page.count };
  return [{ tool: offered.tool.name, args }];
}

type Page = ListPage<unknown>['page'];

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
  /** What follows the age and is the same in every result of the body, up to the billing. */
  readonly lead: ConstantPiece;
  readonly billing: object;
  readonly caveats: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
};

/** Completes a prepared result: the reading text, then the structured content once; what no call changes is sent as it lies. */
export function finishResult(body: ToolBody, call: ResultCall, coding: Coding): SplicedBody {
  const added = JSON.stringify(call.serveTime).slice(1, -1);
  const age = JSON.stringify(ageInUnits(call.ageMinutes)).slice(1, -1);
  const meta = JSON.stringify({ ...resultMeta, ...call.meta });
  return splice({
    bodies: resultStart,
    coding,
    suffix: [
      body.reading(call),
      body.structured,
      `${added === '' ? '' : `,${added}`}},"provenance":{${age},`,
      call.lead,
      `"billing":${JSON.stringify(call.billing)}},"isError":false,"resultType":"complete","_meta":${meta}},"id":${JSON.stringify(call.id)}}`,
    ],
  });
}

/** What a reading text says beside its figures. */
type Said = Pick<ResultCall, 'serveTime' | 'provenance' | 'ageMinutes' | 'caveats'>;

/** Prints the reading text of a result, quoted as JSON. */
type ReadingPrinter = (said: Said) => string;

/** Makes the printer of one prepared result; calls that say the same get the text of the one before. */
export function readingPrinter(figures: string, followUps: readonly FollowUpCall[]): ReadingPrinter {
  const next = followUps.slice(0, 2).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
  const goesOn = next.length === 0 ? [] : [`Next: ${next.join(' or ')}.`];
  let last = { said: '', text: '' };
  return (said) => {
    const { serveTime, provenance, ageMinutes, caveats } = said;
    const key = JSON.stringify([serveTime, provenance, ageMinutes, caveats]);
    if (last.said === key) return last.text;
    const tail = [...told(said.serveTime), ...ageLine(said), ...caveatLine(said), ...goesOn].join('\n');
    const text = JSON.stringify(readingText(figures, tail));
    last = { said: key, text };
    return text;
  };
}

// the age has a line of its own, and how the call was served says nothing of the data
const quiet = new Set(['age_minutes', 'latency_ms', 'cache_hit', 'free_tier_applied']);

function told(serveTime: Said['serveTime']): string[] {
  const shown = Object.entries(serveTime)
    .filter(([name, value]) => !quiet.has(name) && ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`);
  return shown.length === 0 ? [] : [`${shown.join('; ')}.`];
}

/** Caveats in words as long as they fit; the codes of all stand in the data. */
function caveatLine({ caveats }: Said): string[] {
  const told: string[] = [];
  for (const sentence of new Set(caveats.map(caveatSentence)))
    if ([...told, sentence].join(' ').length <= maxCaveats) told.push(sentence);
  const more = new Set(caveats).size - told.length;
  const rest = more > 0 ? ` ${more} more in the data.` : '';
  return caveats.length === 0 ? [] : [`Caveats: ${told.join(' ')}${rest}`];
}

const maxCaveats = 480;

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

/** What follows the age in every result of a body: the rest of the provenance, and the follow-ups. */
export function resultLead(provenance: Provenance, followUps: readonly FollowUpCall[]): ConstantPiece {
  return constantPiece(
    `${JSON.stringify(provenance).slice(1)},"suggested_follow_ups":${JSON.stringify(followUps)},`,
  );
}

/** The structured content of a body whose data is put together elsewhere. */
export function structuredPiece(content: string): ConstantPiece {
  return constantPiece(`${beforeStructured}${content}`);
}
