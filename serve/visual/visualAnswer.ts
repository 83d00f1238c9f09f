import { hash } from 'node:crypto';
import { exactTokens } from '../../data/contract/tools/exactTokens.ts';
import { followUpCall } from '../../data/contract/tools/followUpCall.ts';
import { prepareReading } from '../../data/contract/tools/readingText.ts';
import { visualTools } from '../../data/contract/tools/visualTools.ts';
import { instant } from '../../data/contract/values/instant.ts';
import type { VisualCall, VisualReply } from './visualCall.ts';

/** What a visual tool found or made. */
export type Served = {
  readonly data: object;
  readonly priceMicroUsd: number;
  /** Name of what was served. */
  readonly key: string;
  /** Its hash; of the data unless it is stored. */
  readonly sha256?: string;
  /** When it was made, UTC; now unless it is stored. */
  readonly madeAt?: string;
  /** It was there already: nothing was drawn for this call. */
  readonly found?: boolean;
};

/** An answer is sent twice, as structured content and as text, and has 8 MiB (I8.5): most bytes of the data in both forms. */
const mostBytes = 8 * 1024 * 1024 - 64 * 1024;

/** Prints the data of a visual tool with its reading, so that the event loop only sends it (V69). */
export function visualAnswer(call: VisualCall, { data, priceMicroUsd, key, ...made }: Served): VisualReply {
  const tool = visualTools.find(({ name }) => name === call.tool);
  if (tool?.forms == null) throw new RangeError(`${call.tool} is not built`);
  const { schemaId, next } = tool.forms;
  const text = JSON.stringify(data);
  const tokens = exactTokens(text);
  const about = { title: tool.title, schemaId, subject: null, sourceDate: null, data: tokens };
  const { summary, figures } = prepareReading(about);
  const content = `{"mcp_summary":${JSON.stringify(summary)},"data":${text.slice(0, -1)}`;
  const plain = Buffer.from(content);
  const escaped = Buffer.from(JSON.stringify(content).slice(1, -1));
  if (plain.length + escaped.length > mostBytes)
    return {
      kind: 'refused',
      error: {
        code: 'result_too_large',
        detail: 'The answer would be larger than 8 MiB. Ask for fewer renders, or for a smaller page.',
      },
    };
  const dataSha256 = hash('sha256', text, 'hex');
  return {
    kind: 'answer',
    answer: {
      content: plain,
      escaped,
      dataBytes: Buffer.byteLength(text),
      dataSha256,
      figures,
      followUps: next.flatMap((one) => followUpCall(one, tokens) ?? []),
      priceMicroUsd,
      artifact: {
        key,
        sha256: made.sha256 ?? dataSha256,
        madeAt: made.madeAt ?? instant(call.nowMs),
        found: made.found ?? false,
      },
    },
  };
}
