import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { companyReport } from '../../data/contract/payloads/reports/companyReport.ts';
import type { DataLayout } from '../dataLayout.ts';
import { releaseOrCurrent } from '../release/namedRelease.ts';
import { openRelease } from '../release/openRelease.ts';
import { releaseParts } from '../release/releaseStore.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { findIssuer, type IssuerLabel } from './findRow.ts';

/**
 * The page of an issuer as its release holds it: the bytes a customer gets (V57).
 *
 * @param release its name; undefined for the current one
 * @throws IssuerError `usage` for a label of no issuer, `input_missing` where the release holds no page of it
 */
export async function issuerPage({
  layout,
  label,
  format,
  release: named,
}: {
  layout: DataLayout;
  label: string;
  format: 'html' | 'pdf';
  release: string | undefined;
}): Promise<{ readonly bytes: Buffer; readonly fileName: string }> {
  const { cik, ticker, name } = await issuerOf(layout, label);
  const release = await releaseOrCurrent(layout, named);
  const slice = releaseParts(release).sourceDate;
  const opened = await openRelease(layout.artifacts, release);
  const bytes = await opened.read(companyReport.stored[format].key({ slice, cik }));
  if (bytes === null)
    throw new IssuerError({
      code: 'input_missing',
      message: `Release ${release} holds no page of ${name}.`,
      hint: `\`issuer explain ${ticker ?? cik}\` says what is known of it; \`issuer release ls\` lists what is there.`,
    });
  return { bytes, fileName: `${(ticker ?? cik).toLowerCase()}-${slice}.${format}` };
}

async function issuerOf(layout: DataLayout, label: string): Promise<IssuerLabel> {
  const database = await openWarehouse(layout.database, { outputs: [] });
  try {
    return await findIssuer(database.connection, label);
  } finally {
    database.close();
  }
}
