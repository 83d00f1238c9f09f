import { issuerFieldMap } from '../../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { fieldMapArtifacts } from '../../compute/fieldMapArtifacts.ts';
import { family } from '../family.ts';

export const issuerFieldMaps = family({
  id: 'issuer field maps',
  needs: 'night',
  parts: [
    {
      stored: [issuerFieldMap.stored.object, issuerFieldMap.stored.points],
      make: (night) => fieldMapArtifacts({ ...night, covenantRows: night.slice.covenantRows }),
    },
  ],
});
