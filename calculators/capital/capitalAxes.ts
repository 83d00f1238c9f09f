/** Axes whose members are notes, loans, classes of stock, warrants, awards or coins: facts on them are read of any day (M18.10). */
export const capitalAxis =
  /(Debt|Credit|Loan|Note|Borrow|Mortgage|ClassOfStock|Warrant|AwardType|CryptoAsset|DigitalAsset)/;
/** Concepts of what can become shares and of what preferred stock pays, read with any members and on any day (M18.41, M18.45). */
export const shareConcept =
  /:(AntidilutiveSecurities|IncrementalCommonShares|ClassOfWarrantOrRight|PreferredStockDividendRate|DividendsPreferredStock|StockholdersEquityNoteStockSplit)/;
