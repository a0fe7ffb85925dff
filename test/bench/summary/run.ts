/**
 * Measures what the README and the pages of benchmarks show: svc and three frameworks beside both yardsticks. Writes
 * `docs/benchmarks/summary.json` and the parts of the pages that are made from it. Takes up to 15 minutes on two quiet cores.
 *
 *   npm run bench -- summary         15 rounds of 6000 requests
 *   npm run bench -- summary 2 1000  a trial: prints the tables and writes nothing
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { inRepository } from '../../interop/documentation/repository.ts'
import { CASES } from '../peers/cases.ts'
import { measure } from '../peers/measure.ts'
import { START_COLUMNS } from '../peers/samples.ts'
import { versions } from '../peers/servers.ts'
import { SUMMARY_FILE, type Summary, summaryPart, tablesOf } from './summary.ts'

/** Fewer rounds than these are a trial. */
const ROUNDS = 9
/** A machine that others use more than this, as a share, has no figures to show. */
const QUIET = 0.1

const [rounds = 15, requests = 6000] = process.argv.slice(2).map(Number)
const began = performance.now()
const { servers, samples } = await measure({
  rounds,
  requests,
  cases: CASES
})

const shares = servers.map(({ name }) => samples.foreign(name))
const usual = Math.max(...shares.map((share) => share?.median ?? 0))
const most = Math.max(...shares.map((share) => share?.most ?? Number.NaN))
const columns = [...CASES, ...START_COLUMNS].map(({ name }) => name)
const git = (...args: string[]) => execFileSync('git', args, { cwd: inRepository('.'), encoding: 'utf8' }).trim()
const summary: Summary = {
  date: new Date().toISOString().slice(0, 10),
  commit: git('describe', '--always', '--dirty', '--abbrev=8', '--exclude=*'),
  node: process.versions.node,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  rounds,
  requests,
  versions: versions(servers),
  foreignPercent: Number.isNaN(most) ? null : Math.round(most * 100),
  ...tablesOf(
    servers.map(({ name }) => name),
    columns,
    samples
  )
}

for (const part of ['machine', 'costs', 'yardsticks']) console.log(`${summaryPart(part, summary)}\n`)
console.log(`${Math.round((performance.now() - began) / 1000)} seconds`)
if (rounds < ROUNDS) console.log(`nothing is written: fewer than ${ROUNDS} rounds are a trial`)
else if (usual > QUIET) {
  console.error(`nothing is written: other processes used ${Math.round(usual * 100)} % of the machine`)
  process.exitCode = 1
} else {
  writeFileSync(inRepository(SUMMARY_FILE), `${JSON.stringify(summary, null, 2)}\n`)
  console.log(SUMMARY_FILE)
  await import('../../interop/documentation/write-tables.ts')
}
