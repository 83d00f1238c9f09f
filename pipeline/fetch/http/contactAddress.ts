import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

const email = /^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}$/;
const contactPattern = /^([\x21-\x7e][\x20-\x7e]{0,120}?)\s+<?([^\s<>]+)>?$/;

/**
 * Returns the contact as it is announced to SEC, `Name e-mail` or the bare e-mail.
 *
 * SEC asks automated clients to declare who they are; there is no default, so an unset or unusable
 * contact is a `configuration` error and no request is made.
 */
export function requireContact(contact: string | undefined): string {
  const text = (contact ?? '').trim();
  if (email.test(text)) return text;
  const named = contactPattern.exec(text);
  if (named?.[1] !== undefined && named[2] !== undefined && email.test(named[2])) {
    return `${named[1]} ${named[2]}`;
  }
  throw new IssuerError({
    code: 'configuration',
    message:
      text === ''
        ? 'SEC EDGAR needs a contact address and none is set.'
        : 'The SEC EDGAR contact is neither an e-mail address nor a name followed by one.',
    hint: 'Set II_EDGAR_CONTACT="Your Name you@your-domain.com"; SEC sees it in the User-Agent of every request.',
  });
}
