import { type BriefPlan, type ChosenLine, chosenText, planText } from '../../calculators/briefs/briefPlan.ts';
import { type BriefEvidence, compilerVersion, planBrief } from '../../calculators/briefs/compileBrief.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { briefProblems } from '../../data/contract/payloads/reports/briefProblems.ts';
import type { NaturalBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { BriefFallback, BriefStyle } from '../../data/contract/values/enums.ts';
import { sha256Hex } from '../release/artifact.ts';

/**
 * Renders the briefs of one evidence, style by style: compiled, and where a model is configured its choice of the same
 * lines (M11.1–M11.6). Each text is checked as a client reads it.
 *
 * @param computedAt `as_of` instant of the run
 * @param rawData what the evidence was taken from, as `ii://<resource>/<source_date>?<query>`
 * @returns the brief of a style; it throws IssuerError `validation_failed` when its compiled text breaks a rule of
 * I2.44: a defect of the compiler
 */
export function renderBriefs(
  evidence: BriefEvidence,
  { computedAt, rawData, renderer }: { computedAt: string; rawData: string; renderer: BriefRenderer },
): (style: BriefStyle) => Promise<NaturalBrief> {
  const shared = {
    summary_data: evidence as unknown as NaturalBrief['summary_data'],
    raw_data_ref: rawData,
    caveats: evidence.caveats,
    quality_flags: qualityFlags(evidence),
    source_date: evidence.source_date,
    computed_at: computedAt,
    payload_mode: 'natural_language',
    raw_payload_mode: 'compact',
    validation_status: 'passed',
    compiler_version: compilerVersion,
    renderer_version: 'render-1.0',
    evidence_hash: sha256Hex(canonicalJson(evidence as unknown as CanonicalValue)),
    evidence_hash_version: 'evh-1-jcs-sha256',
  } as const;
  return async (style) => {
    const plan = planBrief(evidence, style);
    const baseline = soundBaseline(evidence, plan);
    return { ...shared, ...(await rendered(plan, baseline, renderer)), style };
  };
}

function soundBaseline(evidence: BriefEvidence, plan: BriefPlan): string {
  const text = planText(plan, plan.compiled);
  const [problem] = briefProblems({ text, evidence, kind: evidence.brief, style: plan.style });
  if (problem === undefined) return text;
  const about =
    evidence.brief === 'covenant' ? `covenant brief of ${evidence.ticker}` : `${evidence.brief} brief`;
  throw new IssuerError({
    code: 'validation_failed',
    message: `The ${plan.style} ${about} is no sound text: ${problem}.`,
    hint: 'This is a defect of the compiler of briefs; the figures have routes of their own.',
    details: { violations: [problem] },
  });
}

type Rendered = Pick<
  NaturalBrief,
  | 'natural_brief'
  | 'model'
  | 'renderer_agent'
  | 'renderer_mode'
  | 'fallback_reason'
  | 'prompt_version'
  | 'tokens_used'
>;

async function rendered(plan: BriefPlan, baseline: string, renderer: BriefRenderer): Promise<Rendered> {
  if (renderer.kind === 'none') return baselineAs(baseline, 'template_compiler', null);
  if (renderer.kind === 'off') return baselineAs(baseline, 'deterministic_fallback', 'feature_flag_disabled');
  const answer = await renderer.choose(plan);
  if ('fallback' in answer) return baselineAs(baseline, 'deterministic_fallback', answer.fallback);
  const text = chosenText(plan, answer.chosen);
  if (text === null) return baselineAs(baseline, 'deterministic_fallback', 'apex_validation_failed');
  return {
    natural_brief: text,
    model: renderer.model,
    renderer_agent: 'language_model',
    renderer_mode: 'apex',
    fallback_reason: null,
    prompt_version: renderer.promptVersion,
    tokens_used: answer.tokens,
  };
}

function baselineAs(
  text: string,
  agent: 'template_compiler' | 'deterministic_fallback',
  reason: BriefFallback | null,
): Rendered {
  return {
    natural_brief: text,
    model: 'deterministic-template',
    renderer_agent: agent,
    renderer_mode: agent === 'template_compiler' ? 'deterministic_baseline' : 'deterministic_fallback',
    fallback_reason: reason,
    prompt_version: 'none',
    tokens_used: 0,
  };
}

/** What limits the figures of a brief, as the answer of the same figures says it (I4.31b). */
function qualityFlags(evidence: BriefEvidence): string[] {
  if (evidence.brief !== 'covenant')
    return evidence.readiness.slice_status === 'partial' ? ['partial_slice'] : [];
  const { quality_flag: quality, figures_basis: basis, treasury_relevance: relevance } = evidence;
  return [
    ...(quality === 'High' ? [] : [`quality_${quality.toLowerCase()}`]),
    ...(basis === 'resolved' ? [] : [basis]),
    ...(relevance === 'incidental' || relevance === 'none' ? [`treasury_${relevance}`] : []),
  ];
}

/** What a language model chose of a brief, or why nothing came of it (I2.45). */
export type Choosing =
  | { readonly chosen: readonly ChosenLine[]; readonly tokens: number }
  | { readonly fallback: BriefFallback };

/** Whether a language model chooses the lines of briefs (M11.5); `off` is one that is configured and switched off. */
export type BriefRenderer =
  | { readonly kind: 'none' }
  | { readonly kind: 'off' }
  | {
      readonly kind: 'model';
      readonly model: string;
      readonly promptVersion: string;
      /** Never throws; bounded in time and bytes. */
      choose(plan: BriefPlan): Promise<Choosing>;
    };
