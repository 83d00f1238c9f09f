import { expect, it } from 'vitest';
import { liveRoutes } from '../routes/routes.ts';
import { type RouteTag, routeTag } from './routeTags.ts';

const idsOf = (tag: RouteTag) => liveRoutes.filter((route) => routeTag(route) === tag).map(({ id }) => id);

it('routes stand in the group of what they are asked about, wherever the call names it', () => {
  // the covenant brief and the posted report name their one issuer in the query and in the body
  expect(idsOf('Issuers')).toEqual(['R08', 'R09', 'R10', 'R11', 'R17', 'R23', 'R27', 'R29', 'R30']);
  expect(idsOf('Products')).toEqual(['R13', 'R14', 'R15', 'R16', 'R18', 'R19', 'R20', 'R21', 'R22']);
  expect(idsOf('Slice')).toEqual([
    ...['R01', 'R02', 'R03', 'R04', 'R05', 'R06', 'R07', 'R12', 'R24', 'R25', 'R26', 'R28'],
  ]);
});
