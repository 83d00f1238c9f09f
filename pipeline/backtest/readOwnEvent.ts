import type { OwnEventScore } from '../../calculators/backtest/ownEvent.ts';
import { csvRecords } from '../warehouse/load/csvRecords.ts';
import { refusedFile } from '../warehouse/load/inputFile.ts';

const columns = ['coin', 'loan_to_value', 'days', 'years', 'predicted', 'observed', 'brier'] as const;

/**
 * Reads `data/registry/own-event.csv`: scores of the breach probability from closes that are not part of the project.
 *
 * @throws IssuerError `validation_failed` naming the line that is not well formed.
 */
export function readOwnEvent(path: string, text: string): readonly OwnEventScore[] {
  return csvRecords({ path, text, columns }).map(({ line, cells }) => {
    const cell = (name: (typeof columns)[number]) => cells?.[name] ?? '';
    const number = (name: (typeof columns)[number]) => Number(cell(name));
    const shares = ['loan_to_value', 'predicted', 'observed', 'brier'] as const;
    const counted = /^\d+$/.test(cell('days')) && /^\d+$/.test(cell('years'));
    if (
      !/^[A-Z]+$/.test(cell('coin')) ||
      !counted ||
      !shares.every((name) => /^[01]\.\d+$/.test(cell(name)))
    ) {
      throw refusedFile(path, `line ${line} needs a coin, whole days and years, and shares between 0 and 1`);
    }
    return {
      coin: cell('coin'),
      loanToValue: number('loan_to_value'),
      days: number('days'),
      years: number('years'),
      predicted: number('predicted'),
      observed: number('observed'),
      brier: number('brier'),
    };
  });
}
