-- What lives as long as the connection; run whenever a build is opened for writing.

-- registrants whose filings must be renewed in this run
CREATE TEMP TABLE IF NOT EXISTS renewed (cik VARCHAR NOT NULL);
