/** Axes whose members are notes, loans, classes of stock, warrants, awards or coins: facts on them are read whatever their day (M18.10). */
export const capitalAxis =
  /(Debt|Credit|Loan|Note|Borrow|Mortgage|ClassOfStock|Warrant|AwardType|CryptoAsset|DigitalAsset)/;
