import { afterEach, describe, expect, it } from 'vitest';
import { hostile, type OperatorRig, operatorRig } from '../../../fixtures/rigs/operatorRig.ts';

describe('withdrawn slices on the operations page (I3.28)', () => {
  let rig: OperatorRig;
  afterEach(() => rig.close());

  it('are named with instant and reason, newest first, and are no release any more', async () => {
    rig = await operatorRig({
      withdrawn: [
        withdrawal('2026-02-05', 'closes of the wrong day'),
        withdrawal('2026-02-06', 'prices of another coin'),
      ],
    });
    const text = await releasesText(rig);
    expect(text).toContain('|The newest 1 of 1 slices with a promoted release|');
    expect(text).toContain('|2026-02-07|2026-02-07.1 |current|');
    expect(text).not.toMatch(/2026-02-0[56]\.1/);
    expect(text).toMatch(
      /\|Withdrawn 2026-02-06\|2026-02-07T09:00:00Z: prices of another coin\|\s*\|?Withdrawn 2026-02-05\|2026-02-07T09:00:00Z: closes of the wrong day\|/,
    );
  });

  it('show a reason that is markup as text', async () => {
    rig = await operatorRig({ withdrawn: [withdrawal('2026-02-06', hostile.reason)] });
    const page = await (await fetch(`${rig.origin}/`)).text();
    expect(page).not.toContain(hostile.reason);
    expect(page).toContain('2026-02-07T09:00:00Z: &lt;/dd&gt;&lt;/main&gt;&lt;svg');
  });

  it('are not spoken of where there is none', async () => {
    rig = await operatorRig();
    expect(await releasesText(rig)).not.toContain('Withdrawn');
  });
});

function withdrawal(source_date: string, reason: string) {
  return { source_date, release: `${source_date}.1`, withdrawn_at_utc: '2026-02-07T09:00:00Z', reason };
}

/** The texts of the section Releases, set apart by `|`. */
async function releasesText({ origin }: OperatorRig): Promise<string> {
  const page = await (await fetch(`${origin}/`)).text();
  const [, section = ''] = page.split('<section aria-labelledby="releases">');
  return (section.split('</section>')[0] ?? '').replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|');
}
