# Two commands do everything on a fresh machine with npm and make: `make nightly` and `make test`.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help nightly serve sandbox rehearsal test test-quick check cluster browser judge bench simulate fuzz doctor documents format golden clean erase

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s $$'\t'

node_modules/.installed: package.json package-lock.json .npmrc
	@echo 'Installing what the program needs (once) …'
	@npm ci --ignore-scripts
	@touch $@

nightly: node_modules/.installed ## Install, run every fixture night, print what was found and where it lies
	@npx issuer nightly --source fixtures

serve: node_modules/.installed ## Serve the current release on loopback with the demo configuration
	@npx issuer-serve start --env-file serve/demo.env

sandbox: node_modules/.installed fixtures/judges/node_modules/.installed ## Local chains, facilitator, funded buyers and server; prints a purchase by every door to paste
	@exec npx node fixtures/judges/sandbox/runSandbox.ts

test: node_modules/.installed ## Run all tests
	@npx vitest run --reporter=./fixtures/checks/calmReporter.ts

# the pure rooms, and of the others what needs neither a night nor a database
quick := calculators/ data/ pipeline/xbrl/ pipeline/zip/ \
	serve/access/ serve/answer/ serve/body/ serve/http/ serve/identity/ serve/routing/

test-quick: node_modules/.installed ## Run the tests that need no night and no database
	@npx vitest run --reporter=./fixtures/checks/calmReporter.ts $(quick)

acceptance: node_modules/.installed ## Ask a started server every line of fixtures/acceptance/CHECKLIST.md (two to three minutes)
	@npx vitest run --config fixtures/acceptance/vitest.config.ts

check: node_modules/.installed ## Format, lint, types, tree and dependency rules, unused code, tests out of product rooms
	@$(MAKE) --no-print-directory -j2 --output-sync=target check-types check-code check-unused

.PHONY: check-types check-code check-unused
# packages of others that only tests and benches run, each with a lockfile that must be in step with its package.json
guests := fixtures/bench/peers fixtures/browser fixtures/judges

# one checker takes the least memory and processor time, and the other core has the rest to do
check-types:
	@npx tsc --noEmit --checkers 1

check-code:
	@npx biome check --error-on-warnings .
	@npx node fixtures/checks/treeRule.ts
	@npx node fixtures/checks/dependencyRule.ts
	@$(foreach room,$(guests),npm --prefix $(room) ci --dry-run --ignore-scripts --offline >/dev/null &&) true

check-unused:
	@npx knip
	@npx knip --production --include files

fixtures/browser/node_modules/.installed: fixtures/browser/package.json fixtures/browser/package-lock.json
	@cd fixtures/browser && npm ci --ignore-scripts
	@touch $@

browser: node_modules/.installed fixtures/browser/node_modules/.installed ## Open the pages and the diagrams in headless Chromium
	@npx tsc --noEmit -p fixtures/browser
	@npx vitest run --config fixtures/browser/vitest.config.ts

fixtures/judges/node_modules/.installed: fixtures/judges/package.json fixtures/judges/package-lock.json
	@echo 'Installing the official clients (once) …'
	@cd fixtures/judges && npm ci --ignore-scripts
	@touch $@

judge: node_modules/.installed fixtures/judges/node_modules/.installed fixtures/browser/node_modules/.installed ## Let the official clients buy every paid answer on a local chain
	@npx tsc --noEmit -p fixtures/judges
	@npx node fixtures/judges/runJudges.ts

fixtures/bench/peers/node_modules/.installed: fixtures/bench/peers/package.json fixtures/bench/peers/package-lock.json
	@cd fixtures/bench/peers && npm ci --ignore-scripts
	@touch $@

benches := ingest night compute capital xbrl ledger serve market years pay start visual

bench: $(benches:%=bench-%) ## Print every benchmark beside its floor (about ten minutes; BENCH_SMOKE=1: each once, on next to nothing)

bench-%: node_modules/.installed fixtures/bench/peers/node_modules/.installed
	@npx node fixtures/bench/$*.ts

simulate: node_modules/.installed ## Simulate payments, crashes and lying third parties on both ledgers (RUNS=… SEED=… SECONDS_OF_LOAD=…)
	@npx node fixtures/simulation/simulateLedger.ts $(or $(RUNS),10000) $(or $(SEED),1)
	@npx node fixtures/simulation/simulatePayments.ts $(or $(RUNS),10000) $(or $(SEED),1) sqlite
	@npx node fixtures/simulation/simulatePayments.ts $(or $(RUNS),10000) $(or $(SEED),1) postgres
	@npx node fixtures/simulation/simulateOutside.ts $(or $(SECONDS_OF_LOAD),30) $(or $(SEED),1) sqlite kills
	@npx node fixtures/simulation/simulateOutside.ts $(or $(SECONDS_OF_LOAD),30) $(or $(SEED),1) postgres kills
	@npx node fixtures/simulation/simulateOutside.ts $(or $(SECONDS_OF_LOAD),30) $(or $(SEED),1) sqlite steady
	@CRASH_ROUNDS=10 CRASH_WRITES=30000 npx vitest run serve/ledger/sqlite/writer/paymentCrash.test.ts

fuzz: node_modules/.installed ## Attack nights, documents, sockets and payments by seed (RUNS=nights SEED=… ONLY=campaign)
	@npx node fixtures/fuzz/runFuzz.ts $(or $(RUNS),500) $(or $(SEED),1) $(ONLY)

rehearsal: node_modules/.installed ## Play an operator's first nights against stand-ins of SEC, prices and venues (SIZE=small: six minutes)
	@npx node fixtures/rehearsal/runRehearsal.ts $(or $(SIZE),full) $(ONLY)

cluster: node_modules/.installed ## Let parts of a cluster fail under load: two servers, database, object storage (three to four minutes)
	@npx node fixtures/cluster/runCluster.ts

doctor: node_modules/.installed ## Say whether this machine and its data are ready
	@npx issuer doctor

documents: node_modules/.installed ## Write the generated documents anew
	@npx node fixtures/documents/writeDocuments.ts

golden: documents ## Write the golden release tree and the samples anew, and the generated documents first
	@npx node fixtures/golden/writeGolden.ts
	@npx node fixtures/visual/writePictures.ts

format: node_modules/.installed ## Format and sort imports
	@npx biome check --write .

clean: ## Remove what a night can build again: downloads, warehouse, releases
	@rm -rf data/raw data/warehouse data/artifacts

erase: ## Remove ledger, API keys, signing keys and stored pictures too; asks first
	@read -r -p 'Money, keys, signatures and pictures under data/ledger, data/keys and data/visual are lost for good. Type "erase": ' word && \
		[ "$$word" = erase ] && rm -rf data/ledger data/keys data/visual && $(MAKE) --no-print-directory clean
