/**
 * Whether this checkout is slower than another commit. Two methods: both builds in one process, requests without sockets,
 * in batches that alternate; and the benchmarks of both, in turn. Ends with 1 if a case is slower beyond the allowed loss.
 *
 *   npm run bench -- guard <commit>                   5 rounds, 5 % allowed
 *   npm run bench -- guard <commit> 9 3 http          9 rounds, 3 % allowed, only what has the word in its name
 *   npm run bench -- guard <commit> 5 5 "in process"  only the first method, which a busy machine disturbs least
 */
import { compareInProcess, inProcessCases, inProcessTable } from './in-process.ts'
import { otherCheckout } from './other-checkout.ts'
import { BENCHMARKS } from './quick-benchmarks.ts'
import { compareSocketRuns, socketTable } from './socket-runs.ts'

/** Pairs of batches per process and round. */
const PAIRS = 20

const [commit, rounds = '5', allowed = '5', word = ''] = process.argv.slice(2)
if (commit === undefined) throw new Error('a commit is missing: npm run bench -- guard <commit>')
const names = inProcessCases(word)
const benchmarks = BENCHMARKS.filter(({ name }) => name.includes(word))
if (names.length + benchmarks.length === 0) throw new Error(`no case and no benchmark has "${word}" in its name`)

const here = new URL('../../../../', import.meta.url).pathname
const other = await otherCheckout(here, commit)
const folders = { before: other.folder, now: here, allowed: Number(allowed) / 100 }
console.log(`Node ${process.versions.node}, ${commit} before, this checkout now, ${allowed} % allowed\n`)
try {
  const verdicts = await compareInProcess(names, { ...folders, pairs: Number(rounds) * PAIRS })
  if (verdicts.size > 0) console.log(`${inProcessTable(verdicts)}\n`)
  const cases = await compareSocketRuns(benchmarks, { ...folders, rounds: Number(rounds) })
  if (cases.length > 0) console.log(`${socketTable(cases)}\n`)

  const outcomes = [...verdicts.values()].map(({ outcome }) => outcome)
  const slower = outcomes.filter((outcome) => outcome === 'slower').length + cases.filter((one) => one.slower).length
  const unsettled = outcomes.filter((outcome) => outcome === 'unsettled').length
  console.log(`${verdicts.size + cases.length} cases: ${slower} slower, ${unsettled} unsettled`)
  process.exitCode = verdicts.size + cases.length === 0 || slower > 0 ? 1 : 0
} finally {
  other.remove()
}
