import type { Route } from '../../data/contract/routes/route.ts';
import { routeUri } from '../../data/contract/routes/route.ts';
import type { VisualForms, VisualTool } from '../../data/contract/tools/visualTools.ts';
import { accountsPrinter } from '../body/envelope.ts';
import { envelopedBody } from '../body/envelopedBody.ts';
import { openBodies } from '../body/openBodies.ts';
import { servableHeaders } from '../body/servableHeaders.ts';
import type { VisualAnswer } from '../visual/visualCall.ts';
import { lazyPiece } from './lazyPiece.ts';
import { readingPrinter } from './readingPrinter.ts';
import { resultLead } from './resultLead.ts';
import { sourceHeaders } from './sourceHeaders.ts';
import { resultStart } from './toolBody.ts';
import type { ToolSource } from './toolSource.ts';
import { twinPiece } from './twinPiece.ts';

/** A visual tool that this build executes. */
export type BuiltVisualTool = VisualTool & { readonly forms: VisualForms };

/** A finished answer of a visual tool as the gate and the receipts know answers (I4.VIS.1, P1.3). */
export function visualSource({
  answer,
  tool,
  endpoint,
  names,
}: {
  answer: VisualAnswer;
  tool: BuiltVisualTool;
  /** The row of the tool endpoint. */
  endpoint: Route;
  /** Names of the tools a follow-up may name. */
  names: ReadonlySet<string>;
}): ToolSource {
  const { artifact, priceMicroUsd } = answer;
  const { schemaId } = tool.forms;
  const followUps = answer.followUps.filter(({ tool: next }) => names.has(next));
  const route: Route = {
    ...endpoint,
    priceMicroUsd,
    schemaId,
    keyScope: 'visual',
    description: `Tool ${tool.name}: ${tool.what}`,
  };
  const sourceDate = artifact.madeAt.slice(0, 10);
  const bodies = openBodies({ open: Buffer.concat([Buffer.from(resultStart), answer.content]) });
  const named = {
    route,
    priceMicroUsd,
    sourceDate,
    artifactKey: artifact.key,
    artifactVersion: `${sourceDate}+${artifact.sha256.slice(0, 12)}`,
    artifactSha256: artifact.sha256,
    computedAt: artifact.madeAt,
    subject: null,
  };
  const facts = {
    ...named,
    cacheHit: artifact.found,
    payloadMode: 'compact',
    said: { qualityFlags: [], caveats: [] },
  };
  const body = envelopedBody({ bodies, tag: artifact.sha256.slice(0, 32), facts, serveTime: null });
  // a picture is of no slice
  const provenance = {
    source_date: null,
    computed_at_utc: artifact.madeAt,
    artifact_version: named.artifactVersion,
    evidence_hash: null,
    freshness_window_hours: null,
  };
  return {
    servable: {
      ...named,
      body,
      counts: null,
      priceComponents: null,
      routeUri: routeUri(route),
      tool: tool.name,
      headers: servableHeaders({ ...named, body }),
      repriced: new Map(),
      challenges: new WeakMap(),
    },
    body: {
      bodies,
      escaped: lazyPiece(() => Buffer.from(answer.escaped).toString('utf8')),
      reading: readingPrinter(answer.figures, followUps),
      followUps,
      dataBytes: answer.dataBytes,
      rowCount: null,
      evidenceHash: null,
    },
    print: accountsPrinter({
      facts: { ...facts, payloadSha256: answer.dataSha256 },
      lead: resultLead(provenance, followUps),
      prepare: twinPiece,
    }),
    serveTime: null,
    lookup: null,
    caveats: [],
    provenance,
    headers: sourceHeaders(named),
  };
}
