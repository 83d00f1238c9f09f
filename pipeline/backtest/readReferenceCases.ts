import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { assessStress } from '../../calculators/stress/assessStress.ts';
import { cryptoUnitsBases } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { csvRecords } from '../warehouse/load/csvRecords.ts';
import { refusedFile } from '../warehouse/load/inputFile.ts';
import type { Observation } from './observation.ts';

const columns = [
  ...['ticker', 'cik', 'date', 'known_on', 'scope', 'asset', 'debt_usd', 'crypto_usd', 'assets_usd'],
  ...['basis', 'selected_on_outcome'],
] as const;
const amount = /^\d{1,18}$/;

/**
 * Reads `data/registry/reference-cases.csv` (METHODOLOGY 12.1) and assesses each case with the calculators of the
 * slice: base bands without equity and without a cross-section, so never notched.
 *
 * @throws IssuerError `validation_failed` naming the line that is not well formed.
 */
export function readReferenceCases({
  path,
  text,
  parameters,
}: {
  path: string;
  text: string;
  parameters: Parameters;
}): readonly Observation[] {
  return csvRecords({ path, text, columns }).map(({ line, cells }) => {
    const cell = (name: string) => cells?.[name] ?? '';
    const scope = cell('scope');
    const dated = isCivilDate(cell('date')) && isCivilDate(cell('known_on'));
    const priced = amount.test(cell('debt_usd')) && amount.test(cell('crypto_usd'));
    const scoped = scope === 'entity' || scope === 'facility';
    if (!/^\d{10}$/.test(cell('cik')) || !dated || !priced || !scoped) {
      throw refusedFile(
        path,
        `line ${line} needs a ten-digit cik, two days, entity or facility, and USD amounts`,
      );
    }
    const coinsBasis = cryptoUnitsBases.find((known) => known === cell('basis'));
    const selected = cell('selected_on_outcome');
    if (coinsBasis === undefined || !/^(yes|no)$/.test(selected)) {
      throw refusedFile(
        path,
        `line ${line} needs the basis of its coins, and yes or no for selected_on_outcome`,
      );
    }
    const position = {
      debt: ExactDecimal.parse(cell('debt_usd')),
      crypto: ExactDecimal.parse(cell('crypto_usd')),
    };
    return {
      origin: 'reference',
      scope,
      cik: cell('cik'),
      ticker: cell('ticker'),
      period: cell('date'),
      knownOn: cell('known_on'),
      figuresBasis: 'resolved',
      coinsBasis,
      selectedOnOutcome: selected === 'yes',
      ...assessed({ ...position, asset: cell('asset') }, parameters),
      debtToAssets: amount.test(cell('assets_usd'))
        ? Number(cell('debt_usd')) / Number(cell('assets_usd'))
        : null,
      coinShare: amount.test(cell('assets_usd'))
        ? Number(cell('crypto_usd')) / Number(cell('assets_usd'))
        : null,
      altmanZ: null,
    };
  });
}

function assessed(
  { debt, crypto, asset }: { debt: ExactDecimal; crypto: ExactDecimal; asset: string },
  parameters: Parameters,
): Pick<Observation, 'tier' | 'stress50' | 'breachProbability' | 'loanToValue'> {
  const bare = crypto.sign === 0;
  const figures = assessStress(
    { debt, crypto, equity: null, mix: bare ? [] : [{ asset, amount: crypto }] },
    { proof: 'proven', unclassified: bare, parameters },
  );
  return {
    tier: figures.riskTier,
    stress50: figures.stress50,
    breachProbability: bare ? null : (figures.covenant?.breachProbability ?? null),
    loanToValue: bare ? null : Number(debt.toString()) / Number(crypto.toString()),
  };
}
