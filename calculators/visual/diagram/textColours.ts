import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { contrast } from '../theme/contrast.ts';
import { type ColourRole, colourOf } from '../theme/tokens.ts';

/** The roles that text is written in. */
export type TextColours = { readonly text: ColourRole; readonly quiet: ColourRole };

const grounds = ['ground', 'lane', 'panel', 'primary', 'warning', 'critical'] as const;
const roles = ['quiet', 'text', 'text-strongest'] as const;

/** The theme's text roles, or stronger ones where they fall short of `min_contrast` on any ground (V30). */
export function textColours({ render_policy, accessibility }: VisualContract): TextColours {
  const worst = (role: ColourRole): number =>
    Math.min(
      ...grounds.map((ground) =>
        contrast(colourOf(role, render_policy.theme), colourOf(ground, render_policy.theme)),
      ),
    );
  const strongEnough = roles.filter((role) => worst(role) >= accessibility.min_contrast);
  return {
    text: strongEnough.find((role) => role !== 'quiet') ?? 'text-strongest',
    quiet: strongEnough[0] ?? 'text-strongest',
  };
}
