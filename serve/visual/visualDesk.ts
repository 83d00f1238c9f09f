import { checkContract } from '../../calculators/visual/diagram/checkContract.ts';
import { packageAnswer, packageSpecs } from '../../calculators/visual/tools/packageSpecs.ts';
import {
  drawContract,
  fitReportAnswer,
  jsonHash,
  renderAnswer,
  unsignedReceipt,
  visualVersions,
} from '../../calculators/visual/tools/renderAnswer.ts';
import { entryOf, searchPriceMicroUsd, searchSpecs } from '../../calculators/visual/tools/searchSpecs.ts';
import {
  quoteRender,
  type RenderQuoting,
  validateDiagram,
} from '../../calculators/visual/tools/validateDiagram.ts';
import { visualTools } from '../../data/contract/tools/visualTools.ts';
import { instant } from '../../data/contract/values/instant.ts';
import type { VisualContract } from '../../data/contract/visual/visualContract.ts';
import { type RenderKey, type RenderStore, type StoredRenderHead, StoreFault } from './renderStore.ts';
import {
  type Served,
  type VisualAsk,
  type VisualCall,
  type VisualRefusal,
  type VisualReply,
  visualAnswer,
} from './visualCall.ts';

/** Answers one call of a visual tool: checks, draws, signs, stores, finds again. Runs in the thread of V69. */
export type VisualDesk = (call: VisualCall) => VisualReply;

/** What the desk works with; both are opened by the first call that needs them. */
export type DeskDeps = { readonly store: (nowMs: number) => RenderStore; readonly key: () => RenderKey };

type Of<T extends VisualAsk['tool']> = Extract<VisualCall, { tool: T }>;
type Outcome = { readonly kind: 'served'; readonly served: Served } | VisualRefusal;

const quoteMs = 900_000;

/** Makes the desk. */
export function visualDesk(deps: DeskDeps): VisualDesk {
  function outcomeOf(call: VisualCall): Outcome {
    switch (call.tool) {
      case 'visual_diagram_validate':
        return validated(call);
      case 'visual_diagram_render':
        return rendered(call, deps);
      case 'visual_fit_report':
        return reported(call, deps.store(call.nowMs));
      case 'visual_spec_search':
        return searched(call, deps.store(call.nowMs));
      case 'visual_spec_package':
        return packaged(call, deps);
    }
  }
  return (call) => {
    try {
      const outcome = outcomeOf(call);
      return outcome.kind === 'served' ? visualAnswer(call, outcome.served) : outcome;
    } catch (error) {
      if (error instanceof StoreFault) return { kind: 'store_failed', key: error.key, why: error.message };
      throw error;
    }
  };
}

/** The fixed price of a tool. */
function priceOf(tool: VisualAsk['tool']): number {
  const row = visualTools.find(({ name }) => name === tool);
  if (row === undefined) throw new RangeError(`${tool} is no visual tool`);
  return row.minMicroUsd;
}

function quotingOf({ nowMs, ulid }: VisualCall): RenderQuoting {
  return {
    renderPriceMicroUsd: priceOf('visual_diagram_render'),
    quoteId: `qte_${ulid}`,
    expiresAt: instant(nowMs + quoteMs),
  };
}

const served = (of: Served): Outcome => ({ kind: 'served', served: of });

function validated(call: Of<'visual_diagram_validate'>): Outcome {
  const data = validateDiagram(call.args.contract, quotingOf(call));
  return served({ data, priceMicroUsd: priceOf(call.tool), key: 'visual/validate' });
}

function rendered(call: Of<'visual_diagram_render'>, deps: DeskDeps): Outcome {
  const checked = checkContract(call.args.contract);
  const { contract } = checked;
  if (contract === null) return invalid(checked.errors);
  const store = deps.store(call.nowMs);
  const drawing = { contract_sha256: jsonHash(contract), ...visualVersions };
  const before = store.same(call.owner, drawing);
  const again = before.find(({ receipt }) => isSameRequest(receipt, call.args));
  if (again !== undefined) return servedRender(again, store, true);
  const [other] = before;
  const drawn = other === undefined ? drawContract(contract) : drawnBefore(other, store);
  if (!drawn.ok) return drawn.code === 'contract_invalid' ? invalid(drawn.errors) : notFitting(drawn);
  const key = deps.key();
  const quote = quoteRender(call.args.contract, checked, quotingOf(call));
  const quoted = ('quote' in quote ? quote.quote?.quoted_price_micro_usd : undefined) ?? priceOf(call.tool);
  const unsigned = unsignedReceipt(drawn, {
    request: {
      project_id: call.args.project_id ?? null,
      payment_reference: call.args.payment_reference ?? null,
      source_digest: call.args.source_digest ?? [],
      quoted_price_usd: quoted / 1_000_000,
    },
    stamp: {
      receipt_id: `vrcp_${call.ulid}`,
      created_at_utc: instant(call.nowMs),
      settlement_mode: 'api_key_not_charged',
      key_id: key.keyId,
    },
  });
  const receipt = { ...unsigned, signature: key.sign(unsigned) };
  const head: StoredRenderHead = {
    schema_id: 'visual_stored_render.v1',
    owner: call.owner,
    artifact_id: `vart_${call.ulid}`,
    width: drawn.rendered.width,
    height: drawn.rendered.height,
    receipt,
    entry: entryOf(contract, {
      specId: `vspec_${call.ulid}`,
      contractSha256: receipt.contract_sha256,
      artifactSha256: receipt.artifact_sha256,
      createdAtUtc: receipt.created_at_utc,
    }),
  };
  const { svg, textAlternative } = drawn.rendered;
  const fitReport = { ...drawn.rendered.fitReport, render_receipt_id: receipt.receipt_id };
  store.put(head, { contract, svg, textAlternative, fitReport, receipt });
  return servedRender(head, store, false);
}

/** What a receipt binds beside the picture; another project or payment is another receipt over the same picture. */
function isSameRequest(
  receipt: StoredRenderHead['receipt'],
  { project_id, source_digest, payment_reference }: Of<'visual_diagram_render'>['args'],
): boolean {
  return (
    receipt.project_id === (project_id ?? null) &&
    receipt.payment_reference === (payment_reference ?? null) &&
    jsonHash(receipt.source_digest) === jsonHash(source_digest ?? [])
  );
}

function drawnBefore(head: StoredRenderHead, store: RenderStore) {
  const { contract, svg, fitReport, textAlternative } = store.read(head);
  const { width, height } = head;
  return { ok: true as const, contract, rendered: { svg, width, height, fitReport, textAlternative } };
}

/** A stored render as its caller gets it: what is sent is what was stored. */
function servedRender(head: StoredRenderHead, store: RenderStore, found: boolean): Outcome {
  const { receipt, artifact_id: artifactId, entry } = head;
  const data = renderAnswer(drawnBefore(head, store), { receipt, artifactId, specId: entry.specId });
  return served({
    data,
    priceMicroUsd: Math.round(receipt.quoted_price_usd * 1_000_000),
    key: `visual/${receipt.receipt_id}/diagram.svg`,
    sha256: receipt.artifact_sha256,
    madeAt: receipt.created_at_utc,
    found,
  });
}

function invalid(
  errors: Extract<ReturnType<typeof drawContract>, { code: 'contract_invalid' }>['errors'],
): Outcome {
  const [first] = errors;
  const where = first === undefined || first.path === '' ? 'The contract' : first.path;
  return {
    kind: 'refused',
    error: {
      code: 'contract_invalid',
      detail: `${where}: ${(first?.message ?? 'it has errors').replace(/\.$/, '')}. Nothing was drawn or stored.`,
      errors,
    },
  };
}

function notFitting({
  fitReport,
}: Extract<ReturnType<typeof drawContract>, { code: 'does_not_fit' }>): Outcome {
  const codes = [...new Set(fitReport.violations.map(({ code }) => code))].join(', ');
  return {
    kind: 'refused',
    error: {
      code: 'does_not_fit',
      detail: `No way to lay it out fits its own fit policy: ${codes}. Nothing was stored. A larger viewport, shorter labels or overflow scale help.`,
      fit_report: fitReport,
    },
  };
}

function reported(call: Of<'visual_fit_report'>, store: RenderStore): Outcome {
  const id = call.args.render_receipt_id;
  const head = store.find(call.owner, id);
  if (head === null) return { kind: 'unknown', receiptId: id };
  const { fitReport } = store.read(head);
  return served({
    data: fitReportAnswer(id, fitReport),
    priceMicroUsd: priceOf(call.tool),
    key: `visual/${id}/fit_report.json`,
    sha256: head.receipt.fit_report_sha256,
    madeAt: head.receipt.created_at_utc,
    found: true,
  });
}

function searched({ owner, args }: Of<'visual_spec_search'>, store: RenderStore): Outcome {
  const heads = new Map(store.visible(owner).map((head) => [head.entry.specId, head]));
  const contractOf = (specId: string): VisualContract => {
    const head = heads.get(specId);
    if (head === undefined) throw new RangeError(`no spec ${specId}`);
    return store.read(head).contract;
  };
  const { query, diagram_family: family = null, tags = [], limit, offset } = args;
  const data = searchSpecs(
    [...heads.values()].map(({ entry }) => entry),
    { query, family, tags, limit, offset },
    args.include_contract ? contractOf : null,
  );
  return served({
    data,
    priceMicroUsd: searchPriceMicroUsd(limit, args.include_contract),
    key: 'visual/index',
  });
}

function packaged(call: Of<'visual_spec_package'>, deps: DeskDeps): Outcome {
  const store = deps.store(call.nowMs);
  const heads: StoredRenderHead[] = [];
  for (const id of new Set(call.args.render_receipt_ids)) {
    const head = store.find(call.owner, id);
    if (head === null) return { kind: 'unknown', receiptId: id };
    heads.push(head);
  }
  const made = packageSpecs(
    heads.map((head) => store.read(head)),
    {
      package_id: `vpkg_${call.ulid}`,
      package_name: call.args.package_name,
      created_at_utc: instant(call.nowMs),
    },
  );
  if (!made.ok) return tooLarge(`The files take ${made.bytes} bytes; a package has at most ${made.limit}.`);
  const key = deps.key();
  const data = packageAnswer(made, {
    alg: 'Ed25519',
    key_id: key.keyId,
    public_key: key.publicKey,
    value: key.sign(made.manifest),
  });
  return served({
    data,
    priceMicroUsd: priceOf(call.tool),
    key: `visual/packages/${data.package.package_id}`,
    sha256: data.package.manifest_sha256,
  });
}

/** The refusal of an answer that is longer than a tool may send. */
function tooLarge(detail: string): Outcome {
  return { kind: 'refused', error: { code: 'result_too_large', detail } };
}
