import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { figureText } from '../../../fixtures/builders/filedFacts.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { conceptNames } from '../../../pipeline/xbrl/conceptNames.ts';
import { filingDefects } from '../../../pipeline/xbrl/filingDefects.ts';
import { readInstance } from '../../../pipeline/xbrl/readInstance.ts';
import { statedFacts } from '../../crypto/statedFacts.ts';
import { resolvePreferred } from '../preferred/resolvePreferred.ts';
import { resolveShares } from './resolveShares.ts';

/** outstanding | cover | fully diluted without notes | warrants | preferred | notes; worked out from the facts as filed */
const expected: Readonly<Record<string, string>> = {
  '1050446/mstr-20240331': '17647000 proven | 17737431 | 18576830 partial |  | ',
  '1167419/riot-20250930': '371116270 stated | 371807186 | null missing:warrants |  | ',
  '827876/clsk-20250630':
    '281063551 proven | 281083382 | null missing:warrants | Warrant 7560 | SeriesAPreferredStock 35000 stated',
  '1889123/fld-20250930':
    '48018545 stated | 48307642 | 66842981 partial | MarchTwoThousandTwentyFiveInvestorNote 925590, FTACEmerald 12434658, JuneTwoThousandTwentyFiverAmendedInvestorNote+SeriesA 869565, JuneTwoThousandTwentyFiverAmendedInvestorNote+SeriesC 869565 | ',
  '1805526/dfdv-20250930':
    '27718159 stated | 31401212 | 40348525 partial | PreFundedWarrants 4100000 prefunded | SeriesAPreferredStock null par_only',
  '1710350/btbt-20250930':
    '322124795 proven | 323674831 | 322124795 partial | PrivatePlacementWarrants 0 | preferred 10000000 stated',
  '1436229/btcs-20250930':
    '47075189 stated | 46838532 | 50245164 partial | warrants 712500 | SeriesVPreferredStock 1975701 stated',
  '1662684/tmb-20250930':
    '42614936 proven | 45674420 | 43888907 partial | ExercisePrice10.00+Warrant 22238, ExercisePrice8.00+Warrant 66667 | SeriesAPreferredStock null par_only',
  '1829311/bmnr-20251130': '408578823 stated | 454862451 | null missing:warrants |  | ',
  '1262104/lits-20250930':
    '35655000 stated | 36785397 | null missing:options | GSRFourWarrants 292398, GSROneWarrats 584795, GSRThreeWarrants 292398, GSRTwoWarrants 292398, OtherWarrants 102513, PlacementAgentWarrants 1169591, Pre-FundedWarrantsIssuedForServices 546348 prefunded, Pre-FundedWarrantsIssuedInPIPE 1130290 prefunded, StrategicAdvisorWarrants 438597 | ',
  '1714562/game-20250930':
    '98380767 stated | 98380767 | 111907381 partial | EquityClassifiedWarrants 8439638 | preferred 5150000 stated',
  '1784970/nxtt-20250331': '436265135 stated | 436265135 | null missing:warrants |  | ',
  '1808110/ddc-20241231': '79629222 stated | 79629222 | 81285150 partial |  | ',
  '2078856/purr-20250930': 'null unconfirmed | 127025563 | null missing:outstanding |  | ',
  '1318605/tsla-20250630': '3224000000 stated | 3225448889 | null missing:options |  | ',
  '1889123/emld-20240930':
    '9591222 stated | 14349106 | 22025893 partial | PublicWarrants 12434671 | CommonClassA 51996271 stated',
};

describe.each(Object.entries(expected))('the newest filing %s', (stem, line) => {
  it('has the shares, warrants and preferred stock of its facts (M18.40–M18.46)', (ctx) => {
    const path = new URL(`../../../../shared/data/edgar/instances/${stem}_htm.xml.gz`, import.meta.url);
    if (!existsSync(path)) return ctx.skip('no ../shared/data/edgar/instances');
    const bytes = gunzipSync(readFileSync(path));
    const instance = readInstance({ bytes, names: conceptNames(), defects: filingDefects() });
    if (instance === null) throw new Error('no instance');
    const period = instance.cover.get('dei:DocumentPeriodEndDate') ?? '';
    const facts = statedFacts(instance.facts, registryParameters.concepts);
    const preferred = resolvePreferred({ period, facts });
    const shares = resolveShares({ filing: { period }, facts, terms: instance.terms, preferred });
    const warrants = shares.warrants.map(
      ({ id, count, isPrefunded }) => `${id} ${count.value}${isPrefunded ? ' prefunded' : ''}`,
    );
    const classes = preferred.classes.map(({ id, claim }) => `${id} ${figureText(claim)}`);
    const cells = [
      figureText(shares.outstanding),
      shares.cover.value,
      figureText(shares.fullyDiluted),
      warrants.join(', '),
      classes.join(', '),
    ];
    expect(cells.join(' | ')).toBe(line);
    const { outstanding, fullyDiluted } = shares;
    if (outstanding.value === null || fullyDiluted.value === null) return;
    expect(fullyDiluted.value.compare(outstanding.value)).toBeGreaterThanOrEqual(0);
  });
});
