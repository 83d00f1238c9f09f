import type { FilingFiles } from './filingFolder.ts';
import { type LoadedFiling, loadFiling } from './loadFiling.ts';
import { XmlFault } from './xmlFault.ts';

/** Where EDGAR filings find us-gaap. */
export const US_GAAP = 'https://xbrl.fasb.org/us-gaap/2025/elts/us-gaap-2025.xsd';
const SUM = 'http://www.xbrl.org/2003/arcrole/summation-item';

/** Files held in memory; `reads` lists what was read, in order. */
export function inMemory(
  files: Readonly<Record<string, string | Uint8Array>>,
): FilingFiles & { reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    list: async () => Object.keys(files).sort(),
    read: async (name) => {
      reads.push(name);
      const content = files[name];
      if (content === undefined) throw new XmlFault('it is not in the folder');
      return typeof content === 'string' ? Buffer.from(content) : content;
    },
  };
}

/** Loads the files as a filing of CIK 1234. */
export function load(files: Readonly<Record<string, string | Uint8Array>>): Promise<LoadedFiling> {
  return loadFiling({ cik: '1234', accession: '0000001234-25-000001', files: inMemory(files) });
}

/** A context at 2025-09-30 of CIK 1234 unless told otherwise. */
export function context(id: string, o: { cik?: string; segment?: string; period?: string } = {}): string {
  const period = o.period ?? '<instant>2025-09-30</instant>';
  const segment = o.segment === undefined ? '' : `<segment>${o.segment}</segment>`;
  return `<context id="${id}"><entity><identifier scheme="http://www.sec.gov/CIK">${o.cik ?? '0000001234'}</identifier>${segment}</entity><period>${period}</period></context>`;
}

/** An instance with one context `c` and one unit `usd`; us-gaap goes by another prefix, as it may. */
export function instance(
  content: string,
  o: { contexts?: string; ownPrefix?: string; schema?: string } = {},
): string {
  const own = o.ownPrefix ?? 'own';
  return `<?xml version="1.0" encoding="utf-8"?>
<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" xmlns:${own}="http://own.example/20250930" xmlns:gaap="http://fasb.org/us-gaap/2025">
<link:schemaRef xlink:type="simple" xlink:href="${o.schema ?? 'own-20250930.xsd'}"/>
${o.contexts ?? context('c')}
<unit id="usd"><measure>iso4217:USD</measure></unit>
${content}</xbrl>`;
}

/** A schema of the namespace `own` with one monetary element, `content` inside its appinfo. */
export function schema(content = '', o: { elements?: string } = {}): string {
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:own="http://own.example/20250930" targetNamespace="http://own.example/20250930">
<xs:annotation><xs:appinfo>${content}</xs:appinfo></xs:annotation>
${o.elements ?? '<xs:element id="own_Coins" name="Coins" type="xbrli:monetaryItemType" substitutionGroup="xbrli:item" xbrli:periodType="instant" xbrli:balance="debit"/>'}
</xs:schema>`;
}

/** The reference to `own-20250930_cal.xml`. */
export const calRef =
  '<link:linkbaseRef xlink:type="simple" xlink:href="own-20250930_cal.xml" xlink:role="http://www.xbrl.org/2003/role/calculationLinkbaseRef" xlink:arcrole="http://www.w3.org/1999/xlink/properties/linkbase"/>';

/** A locator. */
export function locator(label: string, href: string): string {
  return `<link:loc xlink:type="locator" xlink:label="${label}" xlink:href="${href}"/>`;
}

/** A summation-item arc, Calculations 1.0. */
export function arc(from: string, to: string, rest = 'weight="1"'): string {
  return `<link:calculationArc xlink:type="arc" xlink:arcrole="${SUM}" xlink:from="${from}" xlink:to="${to}" ${rest}/>`;
}

/** A linkbase of one calculation link. */
export function linkbase(content: string, role = 'r'): string {
  return `<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"><link:calculationLink xlink:type="extended" xlink:role="${role}">${content}</link:calculationLink></link:linkbase>`;
}

/** Reasons of all defects, each with its part; that there is no presentation goes without saying here. */
export function reasons({ defects }: LoadedFiling): string[] {
  return defects
    .map((defect) => `${defect.part}: ${defect.reason}`)
    .filter((text) => text !== 'presentation: the filing has no parent-child arc that can be used');
}
