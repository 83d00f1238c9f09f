import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays } from '../exact/civilDate.ts';
import { absolute } from '../exact/decimals.ts';
import { isShared } from './actingSubject.ts';
import { type DocumentFrame, type Findings, type Found, refusal, stated } from './documentFrame.ts';
import { headerScaleOf, isDash, parseFigure } from './filedNumbers.ts';
import { coinLabel, hasUnknownWord, type MeasureKind, measureOf, moneyRole } from './labelMeasure.ts';
import type { DataTable } from './readBlocks.ts';
import { type Calendar, hasUnreadDay, monthEnd, monthShift } from './reportDates.ts';
import type { RefusalReason, RefusedStatement, Statement } from './statement.ts';
import { type DataRow, dataRows, type HeadedCell, type TableTime, timeOf } from './tableLayout.ts';

type Measured = {
  readonly kind: MeasureKind;
  readonly asset: string;
  /** True where the column says what is counted, and the row which day or period. */
  readonly byColumn: boolean;
};
const one = ExactDecimal.parse('1');

type Reading = { readonly statements: Statement[]; readonly refused: RefusedStatement[] };

/** Coins a table counts: measures as columns, as rows, or balances rolled forward (M17.8). */
export function readCoinTable(frame: DocumentFrame, table: DataTable): Findings {
  const reading: Reading = { statements: [], refused: [] };
  const rows = dataRows(table.rows);
  const isOfDollars = countsDollars(frame, table, rows);
  const isOfOthers = isRefusedTable(frame, table);
  const isSplit = rows.some(({ label }) => isShared(label) && /produc|mined|mining|earned/i.test(label));
  // a total of several coins is one of dollars
  const isOfUnits = !rows.some(
    ({ label, cells }) => /^total/i.test(label) || cells.some(({ text }) => parseFigure(text)?.isMoney),
  );
  const days = rows.map((row) => balanceDay(row, frame.calendar));
  const [above, below] = [lastBefore(days), lastBefore(days.toReversed()).toReversed()];
  for (const [at, row] of rows.entries()) {
    for (const cell of row.cells) {
      const counted = isOfUnits ? coinHeld(frame, row, cell) : null;
      const measured = counted ?? measureOfCell(frame, { row, cell, block: table.index, reading });
      if (
        measured !== null &&
        (isOfOthers || isOtherwiseHeaded(frame, row, cell, measured) || (isSplit && isOfAll(row, measured)))
      )
        reading.refused.push(
          refusal(frame, foundAt(table.index, row, cell), {
            ...{
              reason: 'refused_label',
              asset: measured.asset,
              units: parseFigure(cell.text)?.value ?? null,
            },
          }),
        );
      else if (measured !== null)
        readCell(frame, {
          ...{ table, row, cell, measured, isOfDollars, reading },
          balances: { from: above[at] ?? null, to: below[at] ?? null },
        });
    }
  }
  return reading;
}

/** The line above a table says that its numbers are an example, a plan or those of others. */
function isRefusedTable({ blocks, context: { words } }: DocumentFrame, { index }: DataTable): boolean {
  const above = blocks[index - 1];
  return above?.kind === 'paragraph' && above.text.length < 200 && words.has(above.text, 'refused caption');
}

/** A production beside a row of hosted or cloud customers holds theirs, unless it says that it is its own. */
function isOfAll({ label }: DataRow, { kind }: Measured): boolean {
  return kind === 'production' && !/\b(?:self|own|proprietary)/i.test(label);
}

/** A column, or the labels, headed by a currency, a level or a rank (M17.48). */
const otherUnit =
  /(?:^|[ (])(?:us|hk|nt|[ac])?\$|[€£¥]|(?:^| )%$|\b(?:rmb|cny|eur|euros?|jpy|yen|cad|gbp|hkd|krw|chf|sgd|aud|usd|rank|level [123])\b/i;

/** What stands over or beside a measure says that it is planned, a mean, a difference or of others (M17.6). */
function isOtherwiseHeaded(
  { context: { words } }: DocumentFrame,
  { stub, section, label }: DataRow,
  { headers, header }: HeadedCell,
  { byColumn }: Measured,
): boolean {
  const over = byColumn ? headers.replace(header, ' ') : headers;
  const around = [over, stub, section];
  if (!byColumn && otherUnit.test(`${headers} ${stub}`) && !/\bexcept\b/i.test(`${headers} ${stub}`))
    return true;
  return (
    words.begins(stub, 'list of holders') ||
    [...around, header, label].some((text) => words.has(text, 'planned column')) ||
    around.some((text) => words.has(text, 'refused label') || words.has(text, 'third party'))
  );
}

/** A financial statement: its rows are dollars, also those without a sign (M17.39). */
function countsDollars(frame: DocumentFrame, table: DataTable, rows: readonly DataRow[]): boolean {
  const { words } = frame.context;
  const firstData = rows[0]?.index ?? 0;
  const above = [1, 2, 3].map((back) => frame.blocks[table.index - back]);
  const captions = above.map((block) =>
    block?.kind === 'paragraph' && block.text.length < 300 ? block.text : '',
  );
  const head = table.rows.slice(0, firstData).map((row) => row[0]?.text ?? '');
  // "(in thousands, except bitcoin)" counts coins as they are
  const exceptsCoins = (text: string) => words.coins(text.split(/\bexcept\b/i)[1] ?? '').length > 0;
  if ([...captions, ...head].some((text) => headerScaleOf(text).compare(one) !== 0 && !exceptsCoins(text)))
    return true;
  if (rows.some((row) => isMoneyRow(frame, row))) return true;
  return table.rows.some(([first]) => first !== undefined && words.has(first.text, 'statement row'));
}

/** Cash, revenue and the like in numbers without a sign: the table prints dollars without one. */
function isMoneyRow({ context: { words } }: DocumentFrame, { label, cells }: DataRow): boolean {
  if (!words.begins(label, 'money row') || /[$€£]|\bus[d$]|million|thousand|billion/i.test(label))
    return false;
  const figures = cells.map(({ text }) => parseFigure(text)).filter((figure) => figure !== null);
  return (
    figures.length > 0 &&
    figures.every(
      ({ isMoney, isPercent, scale, words: unit }) => !isMoney && !isPercent && scale === null && unit === '',
    )
  );
}

function measureOfCell(
  frame: DocumentFrame,
  { row, cell, block, reading }: { row: DataRow; cell: HeadedCell; block: number; reading: Reading },
): Measured | null {
  const { words } = frame.context;
  const refuse = (label: string) => {
    const asset = words.coins(label)[0]?.asset ?? null;
    const figure = parseFigure(cell.text);
    if (asset !== null && figure !== null && !figure.isPercent && !figure.isMoney)
      reading.refused.push(
        refusal(frame, foundAt(block, row, cell), { reason: 'refused_label', asset, units: figure.value }),
      );
    return null;
  };
  const byColumn = measureOf(cell.header, words);
  if (byColumn.is === 'refused') return refuse(cell.header);
  const isCount = words.has(cell.header, 'label quantity') && !words.has(cell.header, 'refused label');
  if (byColumn.is === 'measure' || isCount) {
    const own = byColumn.is === 'measure' ? byColumn.asset : oneCoin(frame, cell.header);
    const asset = own ?? coinLabel(row.label, words) ?? null;
    if (asset !== null)
      return { kind: byColumn.is === 'measure' ? byColumn.kind : 'holdings', asset, byColumn: true };
  }
  const byRow = measureOf(row.label, words);
  if (byRow.is === 'refused') return refuse(row.label);
  if (byRow.is === 'none') return null;
  const short = row.label.split(' ').length <= 3;
  const asset =
    byRow.asset ?? coinLabel(cell.header, words) ?? (short ? coinLabel(row.section, words) : null);
  return asset === null ? null : { kind: byRow.kind, asset, byColumn: false };
}

/** Rows of nothing but a coin each, whose labels are headed `Digital asset holdings`, under a day (M17.8). */
function coinHeld(
  { context: { words }, calendar }: DocumentFrame,
  { label, stub }: DataRow,
  { header }: HeadedCell,
): Measured | null {
  const asset = coinLabel(label, words);
  if (asset === null || !/\b(?:holdings|held)\b/i.test(stub)) return null;
  const measure = measureOf(stub, words);
  if (measure.is !== 'measure' || measure.kind !== 'holdings' || measure.asset !== null) return null;
  const isDay = timeOf(header, calendar)?.basis === 'as_of' && !hasUnknownWord(header, words);
  return isDay ? { kind: 'holdings', asset, byColumn: false } : null;
}

function oneCoin({ context: { words } }: DocumentFrame, header: string): string | null {
  const assets = new Set(words.coins(header).map(({ asset }) => asset));
  return assets.size === 1 ? ([...assets][0] ?? null) : null;
}

type CellReading = {
  readonly table: DataTable;
  /** Days of the balances nearest above and below the row. */
  readonly balances: { readonly from: string | null; readonly to: string | null };
  readonly row: DataRow;
  readonly cell: HeadedCell;
  readonly measured: Measured;
  readonly isOfDollars: boolean;
  readonly reading: Reading;
};

function readCell(frame: DocumentFrame, all: CellReading): void {
  const { table, row, cell, measured, reading } = all;
  const { asset } = measured;
  const found = foundAt(table.index, row, cell);
  const figure = parseFigure(cell.text);
  const refuse = (reason: RefusalReason) =>
    reading.refused.push(refusal(frame, found, { reason, asset, units: figure?.value ?? null }));
  if (figure === null ? !isDash(cell.text) : figure.isMoney || figure.isPercent) return;
  if (
    figure !== null &&
    figure.words !== '' &&
    !frame.context.words.coins(figure.words).some((coin) => coin.asset === asset)
  )
    return;
  const scale = headerScaleOf(`${cell.headers} ${row.label}`);
  const value = figure?.value.times(scale) ?? ExactDecimal.zero;
  if (figure?.scale || scale.compare(one) !== 0) return void refuse('rounded');
  // a negative number of coins mined or held is an amount
  if (
    !measured.byColumn &&
    (all.isOfDollars || (value.sign < 0 && measured.kind !== 'sale' && measured.kind !== 'purchase or sale'))
  )
    return void refuse('refused_label');
  const kind = kindOf(frame, all, value);
  if (kind === null) return void refuse('part');
  if (figure === null && kind === 'holdings') return;
  if (frame.pointsToDerivatives(table.index, [...cell.marks, ...cell.headerMarks, ...row.labelMarks]))
    return void refuse('includes_derivatives');
  const isStock = kind === 'holdings';
  const time = timeOfCell(frame, all, isStock);
  if (time === null) return void refuse('undated_column');
  if (time.to > frame.context.source.filed) return void refuse('future_day');
  reading.statements.push(
    stated(frame, found, {
      kind,
      asset,
      units: absolute(value),
      periodFrom: isStock ? null : time.from,
      asOf: time.to,
      ...amountsOf(frame, all),
      dateBasis: isStock && (time.basis === 'month' || time.basis === 'quarter') ? 'month_end' : time.basis,
      confidence:
        time.basis === 'heading' || (isStock && time.basis !== 'as_of' && time.basis !== 'period')
          ? 'Medium'
          : 'High',
    }),
  );
}

/** What a row states under a column: its own doing where the column holds balances; null for a part of the whole. */
function kindOf(
  { context: { words }, calendar }: DocumentFrame,
  { row, measured, cell }: CellReading,
  value: ExactDecimal,
): Exclude<MeasureKind, 'purchase or sale'> | null {
  const isCoin = coinLabel(row.label, words) !== null;
  if (measured.kind === 'purchase or sale') return value.sign < 0 ? 'sale' : 'purchase';
  if (!measured.byColumn) return measured.kind;
  const label = row.label.toLowerCase();
  const isWhole = label === '' || /^total|^balance|^(?:beginning|ending|opening|closing)/.test(label);
  if (isWhole || dateIn(row.label, calendar)) return measured.kind;
  if (measured.kind === 'holdings' && cell.header !== '') {
    if (/purchase|acqui|bought/.test(label)) return 'purchase';
    if (/\bsold\b|\bsales?\b|dispos/.test(label)) return 'sale';
    if (/mined|produced|production|earned/.test(label)) return 'production';
  }
  return isCoin ? measured.kind : null;
}

const dateIn = (label: string, calendar: Calendar) =>
  /\d{4}|\d\/\d|[a-z]-\d\d|'\d\d/i.test(label) && timeOf(label, calendar) !== null;

function timeOfCell(frame: DocumentFrame, all: CellReading, isStock: boolean): TableTime | null {
  const { row, cell, measured } = all;
  const caption = () => captionTime(frame, all.table.index);
  const { calendar } = frame;
  const stated = timeOf(cell.headers, calendar);
  // a time without its year over two columns is that of neither
  const isOfBoth =
    !measured.byColumn &&
    row.cells.length > 1 &&
    timeOf(cell.header, calendar) === null &&
    timeOf(cell.headers, { ...calendar, filed: addDays(calendar.filed, -366) })?.to !== stated?.to;
  if (isOfBoth) return null;
  const byColumn = stated;
  const fits = (time: TableTime | null) => {
    if (time === null || isStock || time.from !== time.to) return time;
    // a monthly report heads its columns by the last day of the month
    const isMonth = frame.isMonthly && time.to === monthEnd(time.to);
    return isMonth ? ({ from: monthShift(time.to, 0), to: time.to, basis: 'heading' } as const) : null;
  };
  if (!measured.byColumn) {
    if (byColumn !== null) return fits(byColumn);
    const ofRow = timeOf(row.label, calendar);
    if (ofRow !== null) return fits(ofRow);
    const others =
      row.cells.length > 1 ||
      row.cells.some((other) => timeOf(other.headers, calendar) !== null) ||
      hasUnreadDay(`${cell.headers} ${row.label}`, calendar);
    return others ? null : fits(caption());
  }
  const byRow = timeOf(row.label, calendar);
  // lots by the day they were bought are no stocks of that day (M17.48)
  const isLot = isStock && otherDay.test(row.stub) && !/total|aggregate|balance|after/i.test(cell.header);
  if (byRow !== null) return isLot ? null : fits(byRow);
  if (byColumn !== null) return fits(byColumn);
  // "As of D" heads the labels of a table whose columns have no day
  const ofStub = /\bas (?:of|at)\b/i.test(row.stub) ? timeOf(row.stub, calendar) : null;
  if (isStock && ofStub?.basis === 'as_of') return ofStub;
  if (isStock)
    return row.label === '' || coinLabel(row.label, frame.context.words) !== null ? fits(caption()) : null;
  // between two balances of a table rolled forward
  const { from, to } = all.balances;
  if (from === null || to === null || from >= to) return row.label === '' ? fits(caption()) : null;
  return { from: addDays(from, 1), to, basis: 'period' };
}

const otherDay =
  /\b(?:purchase|acquisition|trade|loan|grant|due) date\b|\bdate of (?:purchase|acquisition)\b|\bmaturity\b|\bexpir/i;

/** The last day before each. */
function lastBefore(days: readonly (string | null)[]): (string | null)[] {
  let last: string | null = null;
  return days.map((day) => {
    const before = last;
    last = day ?? last;
    return before;
  });
}

function balanceDay({ label }: DataRow, calendar: Calendar): string | null {
  const time = /balance/i.test(label) ? timeOf(label, calendar) : null;
  return time?.basis === 'as_of' ? time.to : null;
}

/** The time that the heading or the sentence above a table states for all of it. */
export function captionTime(frame: DocumentFrame, table: number): TableTime | null {
  const { calendar } = frame;
  const above = [table - 1, table - 2].flatMap((index) => {
    const block = frame.blocks[index];
    return block?.kind === 'paragraph' && block.text.length < 400 ? [block.text] : [];
  });
  for (const text of above) {
    const at = text.search(/as of /i);
    const time = timeOf(at < 0 ? text : text.slice(at), calendar);
    if (time !== null && (at >= 0 || time.basis !== 'as_of')) return { ...time, basis: 'heading' };
  }
  const span = frame.headingAbove(table);
  return span === null ? null : { from: span.from, to: span.to, basis: 'heading' };
}

/** Money columns right of the measure, up to the next one; where the row has one measure, those left of it too (M17.7). */
function amountsOf(
  { context: { words } }: DocumentFrame,
  { row, cell, measured: { byColumn } }: CellReading,
): { usd: ExactDecimal | null; avgPrice: ExactDecimal | null } {
  if (!byColumn) return { usd: null, avgPrice: null };
  const isMoney = (other: HeadedCell) => moneyRole(other.header) !== null;
  const at = row.cells.indexOf(cell);
  const right = row.cells.slice(at + 1);
  const next = right.findIndex((other) => !isMoney(other));
  const behind = next < 0 ? right : right.slice(0, next);
  const left = row.cells.slice(0, at).filter(isMoney);
  const isOnly = row.cells.every(
    (other) => other === cell || measureOf(other.header, words).is !== 'measure',
  );
  const amount = (role: 'usd' | 'avgPrice') => {
    const of = (cells: readonly HeadedCell[]) => cells.find((other) => moneyRole(other.header) === role);
    const chosen = of(behind) ?? (isOnly ? of(left) : undefined);
    const figure = chosen === undefined ? null : parseFigure(chosen.text);
    if (chosen === undefined || figure === null) return null;
    return figure.scale === null ? figure.value.times(headerScaleOf(chosen.header)) : figure.value;
  };
  return { usd: amount('usd'), avgPrice: amount('avgPrice') };
}

function foundAt(block: number, row: DataRow, cell: HeadedCell): Found {
  return { block, row: row.index, column: cell.from, quote: row.quote };
}
