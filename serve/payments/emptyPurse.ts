// what the providers and the chain call a purse that holds too little
const emptyPurse = /insufficient_?(funds|balance)/i;

/** Where the money of a payment lies. */
export type Purse = 'wallet' | 'deposit';

const steps: Readonly<Record<Purse, string>> = {
  wallet:
    'The wallet holds too little of the token: fund it, or pay from another one. Signing again changes nothing.',
  deposit:
    'The deposit at the gateway is too small: add to it, or pay the first entry of accepts from the wallet. Signing again changes nothing.',
};

/** The next step after a refused payment: a purse that is empty is to be filled, everything else signed again. */
export function nextStep(reason: string, o: { readonly purse: Purse; readonly otherwise: string }): string {
  return emptyPurse.test(reason) ? steps[o.purse] : o.otherwise;
}
