import type { FollowUpCall } from '../../data/contract/tools/toolResult.ts';
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
  /** The same as it stands inside a JSON string. */
  readonly escaped: Uint8Array;
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
