import type { FilingFamily } from '../../data/contract/values/enums.ts';
import { baseForm, type FilingRow, isAmendment } from './filingRow.ts';
import { formNames, itemNames } from './formNames.ts';

export type Family = FilingFamily;

const families: Readonly<Record<Exclude<Family, 'other'>, RegExp>> = {
  periodic: /^(10-K|10-Q|20-F|40-F|11-K|10-KT|10-QT|ARS|NT 10-K|NT 10-Q)$/,
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

/** The family and label of a filing (M7.1) after the item overrides of current reports (M7.2). */
export function formFamily(row: Pick<FilingRow, 'form' | 'items' | 'description'>): {
  readonly family: Family;
  readonly label: string;
} {
  const form = baseForm(row.form);
  const current = form === '8-K';
  const family = (current ? familyOfItems(row) : null) ?? familyOfForm(form);
  return { family, label: current ? labelOfItems(row) : amended(row, nameOf(form)) };
}

function familyOfForm(form: string): Family {
  for (const [family, forms] of Object.entries(families)) if (forms.test(form)) return family as Family;
  return 'other';
}

/** The override of an 8-K's items; debt beats every other, then the order of M7.2. */
function familyOfItems(row: Pick<FilingRow, 'items' | 'description'>): Family | null {
  const has = (...items: string[]) => items.some((item) => row.items.includes(item));
  if (has('2.03', '2.04', '1.03')) return 'debt';
  if (has('2.02')) return 'current_report';
  if (has('5.02', '5.07')) return 'governance';
  // the archive holds no text: what the filer calls the document is all that can mention coins
  if (has('7.01', '8.01') && coins.test(row.description ?? '')) return 'treasury';
  return null;
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
