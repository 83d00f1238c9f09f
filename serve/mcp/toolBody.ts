import {
  exactTokens,
  printedToken,
  type TokenValue,
  tokenAt,
} from '../../data/contract/tools/exactTokens.ts';
import { followUpCall } from '../../data/contract/tools/followUpCall.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import { prepareReading } from '../../data/contract/tools/readingText.ts';
import type { FollowUpCall } from '../../data/contract/tools/toolResult.ts';
import { type OpenBodies, openBodies } from '../body/openBodies.ts';
import type { ConstantPiece } from '../body/splice.ts';
import { lazyPiece } from './lazyPiece.ts';
import { type ReadingPrinter, readingPrinter } from './readingPrinter.ts';
import { escaped } from './twinPiece.ts';

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
