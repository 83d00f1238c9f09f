import { compareText } from '../../data/contract/values/compareText.ts';
import type { FilingFamily } from '../../data/contract/values/enums.ts';
import { type BusinessCalendar, isBusinessDay } from '../changes/businessCalendar.ts';
import { addDays } from '../exact/civilDate.ts';
import words from './formWords.json' with { type: 'json' };

/** One row of EDGAR's submissions: a filing of any form. */
export type FilingRow = {
  readonly cik: string;
  readonly accession: string;
  /** As filed: `8-K`, `S-3ASR`, `SC 13G/A`. */
  readonly form: string;
  readonly filed: string;
  /** Instant of acceptance, UTC; null when the archive gives none. */
  readonly acceptedAt: string | null;
  /** Balance-sheet date or event date the filer names. */
  readonly reportDate: string | null;
  /** Commission file number (`333-284510`); null for review letters and wherever it is empty. */
  readonly fileNumber: string | null;
  /** Items of a current report: `1.01`, `2.03`. */
  readonly items: readonly string[];
  /** What the filer calls the main document; mostly the form again. */
  readonly description: string | null;
};

/** True for the form itself or its amendment. */
export function isForm(row: Pick<FilingRow, 'form'>, ...forms: readonly string[]): boolean {
  return forms.includes(baseForm(row.form));
}

function baseForm(form: string): string {
  return form.endsWith('/A') ? form.slice(0, -2) : form;
}

export function isAmendment(row: Pick<FilingRow, 'form'>): boolean {
  return row.form.endsWith('/A');
}

/** A filing as an event of the choreography (I2.37), known since `knownOn`. */
export type FilingEvent = FilingRow & {
  readonly family: FilingFamily;
  readonly label: string;
  /** Acceptance, or the end of the filing date where the archive gives none. */
  readonly instant: string;
  /** Day from which point-in-time answers may use the event (M7.7, M10.1). */
  readonly knownOn: string;
};

const families: Readonly<Record<Exclude<FilingFamily, 'other'>, RegExp>> = {
  periodic: /^(10-[KQS]T?|20-F|40-F|11-K|ARS|NT 10-[KQS])$/,
  current_report: /^(8-K|6-K)$/,
  // MEF, ASR and post-effective forms are variants of the registrations the rule lists
  registration:
    /^(S-(1|3|4|8|11)|F-(1|3|4|10)|[SF]-\d+MEF|[SF]-3ASR|10-12[BG]|8-A12[BG]|POS AM|POSASR|S-8 POS|DRS|EFFECT)$/,
  prospectus: /^(424B[1-8]|FWP|425)$/,
  sec_review: /^(UPLOAD|CORRESP|LETTER|DRSLTR)$/,
  // all proxy material, whose forms end in 14A
  governance: /^((PRE|DEF)[A-Z]? ?14A|3|4|5|144|SC 13[DG]|SCHEDULE 13[DG])$/,
  treasury: /^SC TO-I$/,
  debt: /^(T-3|305B2)$/,
};
const coins =
  /\b(bitcoins?|btc|ether|ethereum|eth|solana|sol|crypto\w*|digital assets?|tokens?|stablecoins?)\b/i;

/**
 * The family and label of a filing (M7.1) after the item overrides of current reports (M7.2).
 *
 * @param statesCoins whether a statement of the filing counts coins; null where its text was not read
 */
export function formFamily(
  row: Pick<FilingRow, 'form' | 'items' | 'description'>,
  statesCoins: boolean | null = null,
): { readonly family: FilingFamily; readonly label: string } {
  const form = baseForm(row.form);
  const current = form === '8-K';
  const stated = statesCoins === true && form === '6-K' ? 'treasury' : null;
  const family = (current ? familyOfItems(row, statesCoins) : stated) ?? familyOfForm(form);
  return { family, label: current ? labelOfItems(row) : amended(row, nameOf(form)) };
}

function familyOfForm(form: string): FilingFamily {
  for (const [family, forms] of Object.entries(families)) if (forms.test(form)) return family as FilingFamily;
  return 'other';
}

/** The override of an 8-K's items; debt beats every other, then the order of M7.2. */
function familyOfItems(
  row: Pick<FilingRow, 'items' | 'description'>,
  statesCoins: boolean | null,
): FilingFamily | null {
  const has = (...items: string[]) => items.some((item) => row.items.includes(item));
  if (has('2.03', '2.04', '1.03')) return 'debt';
  if (has('2.02')) return 'current_report';
  if (has('5.02', '5.07')) return 'governance';
  if (statesCoins === true) return 'treasury';
  // without the text, what the filer calls the document is all that can mention coins
  const mentions = statesCoins === null && coins.test(row.description ?? '');
  return has('7.01', '8.01') && mentions ? 'treasury' : null;
}

function labelOfItems(row: Pick<FilingRow, 'form' | 'items'>): string {
  if (row.items.includes('1.03')) return 'bankruptcy';
  const leading = ['2.04', '2.03', '2.02'].find((item) => row.items.includes(item));
  const item = leading ?? row.items.find((code) => itemNames[code] !== undefined);
  const name = amended(row, nameOf('8-K'));
  return item === undefined ? name : `${name}: ${itemNames[item]}`;
}

function nameOf(form: string): string {
  if (/^424B[1-8]$/.test(form)) return `Prospectus ${form}`;
  return formNames[form] ?? form;
}

function amended(row: Pick<FilingRow, 'form'>, name: string): string {
  return isAmendment(row) ? `${name}, amended` : name;
}

/** What a reader calls a form, the form itself for the rest (M7.1); and the items of a current report, without 9.01, which lists exhibits. */
const formNames: Readonly<Record<string, string>> = words.forms;
const itemNames: Readonly<Record<string, string>> = words.items;

/** Total order of events: acceptance, then accession (M7.3). */
export function compareEvents(a: FilingEvent, b: FilingEvent): number {
  return compareText(a.instant, b.instant) || compareText(a.accession, b.accession);
}

/**
 * Turns filings into events in their total order; a filing listed twice counts once.
 *
 * @param statesCoins as {@link formFamily} takes it, by accession
 * @param releasedOn day a review letter became public, by accession (M7.7); null for every other filing
 */
export function filingEvents(
  rows: readonly FilingRow[],
  {
    releasedOn,
    statesCoins = () => null,
  }: {
    readonly releasedOn: (accession: string) => string | null;
    readonly statesCoins?: ((accession: string) => boolean | null) | undefined;
  },
): FilingEvent[] {
  const byAccession = new Map<string, FilingRow>();
  for (const row of rows) {
    const known = byAccession.get(row.accession);
    if (known === undefined || compareText(identity(row), identity(known)) < 0)
      byAccession.set(row.accession, row);
  }
  return [...byAccession.values()]
    .map((row) => {
      const instant = row.acceptedAt ?? `${row.filed}T23:59:59Z`;
      // EDGAR dates a filing of the evening on the next business day; neither date may be anticipated
      const days = [row.filed, instant.slice(0, 10), releasedOn(row.accession) ?? row.filed];
      return {
        ...row,
        ...formFamily(row, statesCoins(row.accession)),
        instant,
        knownOn: days.toSorted(compareText).at(-1) ?? row.filed,
      };
    })
    .sort(compareEvents);
}

// a row that gives the acceptance precedes one that does not; then by content, so that input order decides nothing
function identity(row: FilingRow): string {
  return JSON.stringify([
    row.acceptedAt === null,
    row.acceptedAt,
    row.filed,
    row.form,
    row.fileNumber,
    row.items,
    row.reportDate,
    row.description,
  ]);
}

/** The business day `days` after `date`, before it when negative (M6.12); zero gives the day itself. */
export function addBusinessDays(date: string, days: number, calendar: BusinessCalendar): string {
  const step = days < 0 ? -1 : 1;
  let day = date;
  for (let left = Math.abs(days); left > 0; ) {
    day = addDays(day, step);
    if (isBusinessDay(day, calendar)) left -= 1;
  }
  return day;
}

type ChainKind = 'shelf_takedown' | 'private_convert' | 'staff_review' | 'late_filer' | 'ipo' | 'merger';
type ChainWords = {
  readonly family: FilingFamily;
  readonly label: string;
  readonly interpretation: string;
  /** False where the anchor is only what the chain is about: a review goes on without its filing (M7.6). */
  readonly needsAnchor: boolean;
  /** Fewest events, anchor included, that make a chain of this kind. */
  readonly atLeast: number;
};

/** How an event belongs to its chain (M7.10). */
export type Confidence = 'direct' | 'derived' | 'unresolved';
export type ChainMember = { readonly event: FilingEvent; readonly confidence: Confidence };

/** What a rule of M7.4 to M7.9 proposes; events may be wanted by several proposals. */
export type ChainProposal = ChainWords & {
  readonly kind: ChainKind;
  readonly anchor: FilingEvent;
  /** The anchor and every event joined to it. */
  readonly members: readonly ChainMember[];
};

const chains = words.chains as Readonly<Record<string, ChainWords>>;

/** A chain of a kind with the words of the kind, or of what became of its report. */
export function chainOf(
  kind: ChainKind,
  chain: Pick<ChainProposal, 'anchor' | 'members'>,
  outcome: string | null = null,
): ChainProposal {
  const own = chains[outcome === null ? kind : `${kind} ${outcome}`];
  if (own === undefined) throw new RangeError(`a chain ${kind} has no words`);
  return { kind, ...own, ...chain };
}

/** Events as members of one confidence; an event that was not filed is none. */
export function membersOf(
  confidence: Confidence,
  ...events: readonly (FilingEvent | undefined)[]
): ChainMember[] {
  return events.flatMap((event) => (event === undefined ? [] : [{ event, confidence }]));
}
