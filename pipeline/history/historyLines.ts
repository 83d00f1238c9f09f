import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import { coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import { parseExact } from '../exactJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import { validated } from '../release/validated.ts';

/** The published payloads of one issuer and one slice, canonical texts; null where the slice has none. */
export type PublishedTexts = {
  readonly covenant: string;
  readonly fundamentals: string | null;
  readonly ranking: string | null;
  readonly alpha: string | null;
};

/** The rows one slice adds to an issuer's histories, canonical, without line ends. */
export type HistoryLines = { readonly core: string; readonly compact: string; readonly full: string };

type Members = { readonly [member: string]: CanonicalValue | undefined };

/**
 * Makes the history rows of one issuer and one slice from what that slice published, never from anything newer
 * (I2.53, I2.54, M10.4).
 *
 * `payload_sha256` is the hash of the covenant-stress payload as R11 stores it for that date, so that a replay
 * reproduces it (M15.56). `evidence_hash` is the hash of the full form without the two hashes and without
 * `source_fields` (M11.4); both forms of a row carry the same two.
 *
 * @throws IssuerError `validation_failed` when a row does not hold its schema.
 */
export function historyLines(published: PublishedTexts): HistoryLines {
  const covenant = parseExact(published.covenant) as Members;
  const core = coreRow(covenant);
  const fundamentals =
    published.fundamentals === null ? null : (parseExact(published.fundamentals) as Members);
  const evidence = {
    ...shell(covenant),
    covenant_stress: published.covenant,
    fundamentals: canonicalJson(fundamentals?.['fundamentals'] ?? null),
    peer_ranking: published.ranking ?? 'null',
    alpha_signals: published.alpha ?? 'null',
  };
  const hashes = {
    payload_sha256: JSON.stringify(sha256Hex(published.covenant)),
    evidence_hash: JSON.stringify(sha256Hex(objectText(evidence))),
  };
  const { fundamentals: _, peer_ranking: __, alpha_signals: ___, ...compact } = evidence;
  const sourceFields = { source_fields: canonicalJson(sourceFieldsOf(covenant, fundamentals)) };
  return {
    core: canonicalJson(
      validated({ schema: coreHistory.stored.history.row, value: core, key: 'core-history' }),
    ),
    compact: checked(objectText({ ...compact, ...hashes })),
    full: checked(objectText({ ...evidence, ...hashes, ...sourceFields })),
  };
}

/** Members of a calculation-history row that are not whole payloads, as texts. */
function shell(c: Members): Record<string, string> {
  const members: Members = {
    source_date: c['source_date'],
    cik: c['cik'],
    ticker: c['ticker'],
    entity_name: c['entity_name'] ?? null,
    market_regime: c['market_regime'] ?? null,
    field_map_inputs: fieldMapInputs(c),
    quality: {
      quality_flag: c['quality_flag'],
      core_tier: c['core_tier'] ?? null,
      notes: c['data_quality_notes'] ?? [],
    },
    provenance: {
      accession_number: c['accession_number'] ?? null,
      filing_url: filingPageOf(c),
      data_source: c['data_source'],
      root_resolution_method: c['root_resolution_method'] ?? null,
      computed_at_utc: c['computed_at_utc'] ?? null,
    },
  };
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, canonicalJson(value ?? null)]),
  );
}

/** Made again: slices of older builds do not have it. */
function filingPageOf({ cik, accession_number: accession }: Members): string | null {
  return filingUrl({ cik: String(cik), accession: String(accession) });
}

/** The inputs of the issuer field map under the names of the slice: filing values, and their live twins (M9.2, M9.5). */
function fieldMapInputs(c: Members): Members {
  const names = ['st_z', 'ap_z', 'ecs_z', 'lsi_z', 'mp_z', 'stress_50pct'];
  const twins = [...names, ...names.map((name) => `live_${name}`)];
  return Object.fromEntries(twins.map((name) => [name, c[name] ?? null]));
}

/** Where the figures were filed: the fact behind each fundamental (I2.9), and the roots of the totals (M1.28). */
function sourceFieldsOf(c: Members, fundamentals: Members | null): Members {
  const provenance = fundamentals?.['provenance'] as Members | undefined;
  return {
    facts: provenance?.['facts'] ?? {},
    root_resolution_details: c['root_resolution_details'] ?? [],
    extension_root_concepts: c['extension_root_concepts'] ?? [],
    reference_price_date: c['reference_price_date'] ?? null,
    price_source: c['price_source'] ?? null,
    price_last_updated: c['price_last_updated'] ?? null,
  };
}

const required = [
  'source_date',
  'ticker',
  'stress_50pct',
  'risk_tier',
  'total_long_term_debt',
  'total_crypto_fair_value',
  'quality_flag',
  'data_source',
  'debt_coverage_status',
  'is_linkbase_backed',
];
const optional = ['figures_basis', 'crypto_share_of_assets', 'treasury_relevance'];
const nullable = [
  'period',
  'stress_30pct',
  'stress_70pct',
  'covenant_headroom_50pct',
  'live_stress_50pct',
  'live_covenant_headroom_50pct',
  'live_risk_tier',
  'bitcoin_units_held',
  'ethereum_units_held',
  'current_debt',
  'noncurrent_debt',
  'market_regime',
  'resonance_status',
  'core_tier',
  'mp_z',
  'st_z',
  'price_last_updated',
  'accession_number',
];

function coreRow(c: Members): Members {
  return Object.fromEntries([
    ...required.map((name) => [name, c[name]]),
    // rows of an older method version do not have them
    ...optional.filter((name) => c[name] !== undefined).map((name) => [name, c[name]]),
    ...nullable.map((name) => [name, c[name] ?? null]),
    ['filing_url', filingPageOf(c)],
  ]);
}

/** A canonical object from canonical texts of its members. */
function objectText(members: Readonly<Record<string, string>>): string {
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${members[name]}`).join(',')}}`;
}

function checked(text: string): string {
  validated({ schema: calculationHistory.stored.history.row, value: JSON.parse(text), key: 'calc-history' });
  return text;
}
