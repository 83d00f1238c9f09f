import type { FilingFamily } from '../../data/contract/values/enums.ts';
import { baseForm, type FilingRow, isAmendment } from './filingRow.ts';

export type Family = FilingFamily;

const families: Readonly<Record<Exclude<Family, 'other'>, RegExp>> = {
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
): { readonly family: Family; readonly label: string } {
  const form = baseForm(row.form);
  const current = form === '8-K';
  const stated = statesCoins === true && form === '6-K' ? 'treasury' : null;
  const family = (current ? familyOfItems(row, statesCoins) : stated) ?? familyOfForm(form);
  return { family, label: current ? labelOfItems(row) : amended(row, nameOf(form)) };
}

function familyOfForm(form: string): Family {
  for (const [family, forms] of Object.entries(families)) if (forms.test(form)) return family as Family;
  return 'other';
}

/** The override of an 8-K's items; debt beats every other, then the order of M7.2. */
function familyOfItems(
  row: Pick<FilingRow, 'items' | 'description'>,
  statesCoins: boolean | null,
): Family | null {
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

/** What a reader calls a form; the form itself stands for the rest. */
const formNames: Readonly<Record<string, string>> = {
  '10-K': 'Annual report',
  '10-KT': 'Transition report',
  '10-Q': 'Quarterly report',
  '10-QT': 'Transition report',
  '10-S': 'Half-yearly report',
  '10-ST': 'Transition report',
  '20-F': 'Annual report',
  '40-F': 'Annual report',
  '11-K': 'Annual report of an employee plan',
  ARS: 'Annual report to shareholders',
  // the label METHODOLOGY M7.1 fixes
  'NT 10-K': 'late notice',
  'NT 10-Q': 'late notice',
  'NT 10-S': 'late notice',
  '8-K': 'Current report',
  '6-K': 'Current report',
  'S-1': 'Registration statement',
  'S-11': 'Registration statement',
  'F-1': 'Registration statement',
  'F-10': 'Registration statement',
  'S-3': 'Shelf registration',
  'S-3ASR': 'Automatic shelf registration',
  'F-3': 'Shelf registration',
  'F-3ASR': 'Automatic shelf registration',
  'S-4': 'Merger or exchange registration',
  'F-4': 'Merger or exchange registration',
  'S-8': 'Employee plan registration',
  'S-8 POS': 'Employee plan registration, amended after effect',
  '10-12B': 'Registration of a class of securities',
  '10-12G': 'Registration of a class of securities',
  '8-A12B': 'Listing registration',
  '8-A12G': 'Registration of a class of securities',
  'POS AM': 'Registration amended after effect',
  POSASR: 'Automatic shelf amended after effect',
  DRS: 'Draft registration statement',
  EFFECT: 'Notice of effectiveness',
  FWP: 'Free writing prospectus',
  '425': 'Merger communication',
  UPLOAD: 'Staff letter',
  LETTER: 'Staff letter',
  CORRESP: 'Response to the staff',
  DRSLTR: 'Response on a draft registration',
  'DEF 14A': 'Proxy statement',
  DEFA14A: 'Additional proxy material',
  'PRE 14A': 'Preliminary proxy statement',
  DEFM14A: 'Merger proxy statement',
  PREM14A: 'Preliminary merger proxy statement',
  '3': 'Initial insider holdings',
  '4': 'Insider transaction',
  '5': 'Annual insider statement',
  '144': 'Notice of a proposed insider sale',
  'SC 13D': 'Active holder above 5 %',
  'SC 13G': 'Passive holder above 5 %',
  'SCHEDULE 13D': 'Active holder above 5 %',
  'SCHEDULE 13G': 'Passive holder above 5 %',
  'SC TO-I': 'Issuer tender offer',
  'T-3': 'Trust indenture application',
  '305B2': 'Trustee designation',
};

/** What the items of a current report say (Form 8-K), without item 9.01, which lists exhibits. */
const itemNames: Readonly<Record<string, string>> = {
  '1.01': 'material agreement',
  '1.02': 'agreement ended',
  '1.03': 'bankruptcy',
  '2.01': 'acquisition or disposal completed',
  '2.02': 'results',
  '2.03': 'financial obligation',
  '2.04': 'acceleration',
  '2.05': 'exit costs',
  '2.06': 'impairment',
  '3.01': 'listing notice',
  '3.02': 'unregistered sale of equity',
  '3.03': 'rights of holders',
  '4.01': 'auditor change',
  '4.02': 'reliance on statements withdrawn',
  '5.01': 'change of control',
  '5.02': 'directors and officers',
  '5.03': 'charter or bylaws',
  '5.07': 'vote of shareholders',
  '7.01': 'disclosure',
  '8.01': 'other events',
};
