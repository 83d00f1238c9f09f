import { writeReport } from '../../../calculators/visual/pdf/writeReport.ts';
import { dailyBriefPayload } from '../../../calculators/visual/report/dailyBriefPayload.ts';
import { dailyBriefReport } from '../../../calculators/visual/report/dailyBriefReport.ts';
import { dailyBrief as payload } from '../../../data/contract/payloads/reports/dailyBrief.ts';
import { orLeftOut } from '../../compute/leftOut.ts';
import { bytesArtifact, singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';
import { dailyBriefFacts } from './dailyBriefFacts.ts';

const { object, html, pdf } = payload.stored;

/**
 * The brief of the night in its three representations, all of one report (V56, V60); excluded where it cannot be made
 * (M6.6c).
 */
export const dailyBrief = family({
  id: 'daily brief',
  needs: 'whole',
  parts: [
    {
      stored: [object, html, pdf],
      make: ({ night, market }) => {
        const parts = { slice: night.sourceDate };
        const keys = [object, html, pdf].map((stored) => stored.key(parts));
        return orLeftOut({ what: 'the daily brief', keys }, async () => {
          const facts = dailyBriefFacts(night, market);
          const report = dailyBriefReport(facts);
          const value = dailyBriefPayload(facts, report);
          return [
            singleArtifact(object, { parts, value }),
            bytesArtifact(html, { parts, bytes: value.html }),
            ...(await orLeftOut({ what: 'the PDF of the daily brief', keys: [pdf.key(parts)] }, async () => [
              bytesArtifact(pdf, { parts, bytes: await writeReport(report) }),
            ])),
          ];
        });
      },
    },
  ],
});
