import { roleClass } from './roleClass.ts';
import { colourOf, colourRoles, type ThemeName } from './tokens.ts';

/** The rules of a page's sheet that give the pictures in it the colours of a theme (V54). */
export function roleRules(theme: ThemeName): string {
  return colourRoles
    .map((role) => {
      const colour = colourOf(role, theme);
      return `.${roleClass('fill', role)}{fill:${colour}}.${roleClass('stroke', role)}{stroke:${colour}}`;
    })
    .join('');
}
