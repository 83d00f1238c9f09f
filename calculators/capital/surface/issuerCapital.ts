import type { Capital } from '../capital.ts';

/**
 * The capital structure of an issuer on a day, or why it could not be made. No other figure rests on it, so a fault of
 * it excludes nothing but itself (M18.80).
 */
export type IssuerCapital =
  | { readonly capital: Capital; readonly fault: null }
  | { readonly capital: null; readonly fault: Error | null };

/** What is made of an issuer, or the fault of it; what stops a program passes. */
export function capitalOrFault(make: () => Capital): IssuerCapital {
  try {
    return { capital: make(), fault: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { capital: null, fault: error };
  }
}
