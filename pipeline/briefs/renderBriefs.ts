import type { EvidenceFacts } from '../../calculators/briefs/checks/briefText.ts';
import { evidenceFacts } from '../../calculators/briefs/checks/evidenceFacts.ts';
import { type BriefEvidence, compileBrief, compilerVersion } from '../../calculators/briefs/compileBrief.ts';
import { validateBrief } from '../../calculators/briefs/validateBrief.ts';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import type { NaturalBrief } from '../../contract/payloads/reports/naturalBrief.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import type { BriefFallback, BriefStyle } from '../../contract/values/enums.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { BriefRenderer } from './briefRenderer.ts';

/**
 * Renders the briefs of one evidence, style by style: compiled, validated, and rephrased where a model is at hand and
 * its text passes the same validator (M11.1–M11.6).
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
  const facts = evidenceFacts(evidence);
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
    const baseline = soundBaseline(evidence, { style, facts });
    const rendered = await renderedText(baseline, { evidence, style, facts, renderer });
    return { ...shared, ...rendered, style };
  };
}

function soundBaseline(
  evidence: BriefEvidence,
  { style, facts }: { style: BriefStyle; facts: EvidenceFacts },
): string {
  const text = compileBrief(evidence, style);
  const violations = validateBrief(text, { evidence, style, facts });
  if (violations.length === 0) return text;
  const said = violations.map(({ rule, message }) => `it breaks rule (${rule}) of I2.44: ${message}`);
  const about =
    evidence.brief === 'covenant' ? `covenant brief of ${evidence.ticker}` : `${evidence.brief} brief`;
  throw new IssuerError({
    code: 'validation_failed',
    message: `The ${style} ${about} is no sound text: ${said[0]}.`,
    hint: 'This is a defect of the compiler of briefs; the figures have routes of their own.',
    details: { violations: said.slice(0, 20) },
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

async function renderedText(
  baseline: string,
  o: { evidence: BriefEvidence; style: BriefStyle; facts: EvidenceFacts; renderer: BriefRenderer },
): Promise<Rendered> {
  const { evidence, style, facts, renderer } = o;
  if (renderer.kind === 'none') return baselineAs(baseline, 'template_compiler', null);
  if (renderer.kind === 'off') return baselineAs(baseline, 'deterministic_fallback', 'feature_flag_disabled');
  const answer = await renderer.rephrase({ text: baseline, evidence, style });
  if ('fallback' in answer) return baselineAs(baseline, 'deterministic_fallback', answer.fallback);
  const refused = refusal(validateBrief(answer.text, { evidence, style, facts }));
  if (refused !== null) return baselineAs(baseline, 'deterministic_fallback', refused);
  return {
    natural_brief: answer.text,
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

/** Why a rephrased text is not served: advice first, then its form, then what it says (I2.45). */
function refusal(violations: ReturnType<typeof validateBrief>): BriefFallback | null {
  if (violations.length === 0) return null;
  const rules = new Set(violations.map(({ rule }) => rule));
  if (rules.has('i')) return 'apex_policy_blocked';
  return rules.has('a') || rules.has('k') ? 'apex_malformed_markdown' : 'apex_validation_failed';
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
