import type { DocumentName } from '../routes/answer.ts';
import type { Route } from '../routes/route.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import { emitFieldContract } from './fieldContract.ts';
import { emitHelp } from './help.ts';
import { emitLlmsTxt } from './llmsTxt.ts';
import { opaqueExamples } from './opaqueExamples.ts';
import { emitPricing } from './pricing.ts';
import { emitServerCard } from './serverCard.ts';
import { emitWellKnownX402 } from './wellKnownX402.ts';
import { emitWorkflows } from './workflows.ts';

/** A discovery document as it reads for a few routes: short, and made by the same emitter. */
export function documentExample(
  name: DocumentName,
  { deployment, routes }: { deployment: Deployment; routes: readonly Route[] },
): unknown {
  const ofId = (...ids: string[]): Route[] => routes.filter(({ id }) => ids.includes(id));
  switch (name) {
    case 'pricing':
      return emitPricing(deployment, ofId('R01'));
    case 'fields':
      return emitFieldContract({ alphaWeights: {}, releaseKeys: [], routes: ofId('F09') });
    case 'help':
      return emitHelp(deployment, ofId('R01', 'F06'));
    case 'openapi':
      return { openapi: '3.1.0', info: { title: versions.title, version: versions.api }, paths: {} };
    case 'llms':
      return emitLlmsTxt(deployment, ofId('R01', 'F12')).split('\n## ')[0];
    case 'well_known_x402':
      return emitWellKnownX402(deployment, ofId('R01'));
    case 'mcp_card':
      return emitServerCard(deployment, ofId('R01', 'R31', 'F08'));
    case 'reference':
      return opaqueExamples['text/html'];
    case 'workflows':
      return emitWorkflows(deployment, ofId('R01', 'R02', 'R05'));
  }
}
