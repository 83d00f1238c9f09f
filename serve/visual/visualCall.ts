import { hash } from 'node:crypto';
import { exactTokens } from '../../data/contract/tools/exactTokens.ts';
import { prepareReading } from '../../data/contract/tools/readingText.ts';
import { type FollowUpCall, followUpCall } from '../../data/contract/tools/toolResult.ts';
import { visualTools } from '../../data/contract/tools/visualTools.ts';
import { instant } from '../../data/contract/values/instant.ts';
import type {
  RenderArguments,
  SpecPackageArguments,
  SpecSearchArguments,
} from '../../data/contract/visual/visualArguments.ts';

// what goes to the thread of the visual tools and what comes back (V69)

/** What a visual tool is asked, its arguments read. */
export type VisualAsk =
  | { readonly tool: 'visual_diagram_validate'; readonly args: Pick<RenderArguments, 'contract'> }
  | { readonly tool: 'visual_diagram_render'; readonly args: RenderArguments }
  | { readonly tool: 'visual_fit_report'; readonly args: { readonly render_receipt_id: string } }
  | { readonly tool: 'visual_spec_search'; readonly args: SpecSearchArguments }
  | { readonly tool: 'visual_spec_package'; readonly args: SpecPackageArguments };

/** One call: clock and chance come with it, so that the thread has neither. */
export type VisualCall = VisualAsk & {
  /** API key the call is made with; what it renders is its own (I4.VIS.12a). */
  readonly owner: string;
  readonly nowMs: number;
  /** 26 characters; each id of the answer is one of its own kind with them. */
  readonly ulid: string;
};

/** A finished answer, printed where it was made. */
export type VisualAnswer = {
  /** `{"mcp_summary":…,"data":{…` without the last brace, in UTF-8. */
  readonly content: Uint8Array;
  readonly dataBytes: number;
  /** SHA-256 of the data, closed. */
  readonly dataSha256: string;
  readonly figures: string;
  readonly followUps: readonly FollowUpCall[];
  /** Price in force for exactly this call: fixed, by its size, or quoted (I4.VIS.17, I4.VIS.20). */
  readonly priceMicroUsd: number;
  readonly artifact: VisualArtifact;
};

/** What was served, as receipts name it. */
export type VisualArtifact = {
  readonly key: string;
  readonly sha256: string;
  /** UTC, whole seconds. */
  readonly madeAt: string;
  /** It was stored before this call. */
  readonly found: boolean;
};

/** Why there is no answer. */
export type VisualRefusal =
  | {
      readonly kind: 'refused';
      readonly error: Readonly<Record<string, unknown>> & {
        readonly code: 'contract_invalid' | 'does_not_fit' | 'result_too_large';
        readonly detail: string;
      };
    }
  /** No render of this id that the key may see. */
  | { readonly kind: 'unknown'; readonly receiptId: string }
  /** What is stored cannot be read, or nothing can be stored. */
  | { readonly kind: 'store_failed'; readonly key: string; readonly why: string }
  /** The queue is full, the caller left, or the thread died or took too long. */
  | { readonly kind: 'overloaded'; readonly why: 'queue_full' | 'client_gone' | 'died' | 'too_long' };

export type VisualReply = { readonly kind: 'answer'; readonly answer: VisualAnswer } | VisualRefusal;

/** SHA-256 of the arguments in RFC 8785 form is the body of the fingerprint (I4.MCP.21). */
export type FromVisualThread = {
  readonly id: number;
  readonly reply: VisualReply;
  readonly argumentsSha256: string;
};
export type ToVisualThread = { readonly id: number; readonly call: VisualCall };

/** What a visual tool found or made, of now and with the hash of its data unless it was stored. */
export type Served = Pick<VisualArtifact, 'key'> &
  Partial<VisualArtifact> & { readonly data: object; readonly priceMicroUsd: number };

/** An answer has 8 MiB (I8.5): most bytes of its data. */
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
  if (plain.length > mostBytes)
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
