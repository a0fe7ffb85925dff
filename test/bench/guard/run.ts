/**
 * Whether this checkout is slower than another commit: runs the benchmarks of both in turn, in one run, and compares the
 * least figure of each case, because load from elsewhere only ever adds. Ends with 1 beyond the allowed loss.
 *
 *   npm run bench:guard -- <commit>             5 rounds, 5 % allowed
 *   npm run bench:guard -- <commit> 9 3 http    9 rounds, 3 % allowed, only the benchmarks whose name has the word
 */
import { costsIn } from './costs.ts'
import { otherCheckout } from './other-checkout.ts'
import { BENCHMARKS, runBenchmark } from './quick-benchmarks.ts'

const [commit, rounds = '5', allowed = '5', word = ''] = process.argv.slice(2)
if (commit === undefined) throw new Error('a commit is missing: npm run bench:guard -- <commit>')

const here = new URL('../../../../', import.meta.url).pathname
const other = await otherCheckout(here, commit)
const least = { before: new Map<string, number>(), now: new Map<string, number>() }
try {
  const benchmarks = BENCHMARKS.filter(({ name }) => name.includes(word))
  if (benchmarks.length === 0) throw new Error(`no benchmark has "${word}" in its name`)
  for (let round = 0; round < Number(rounds); round += 1) {
    const sides = [
      { folder: other.folder, costs: least.before },
      { folder: here, costs: least.now }
    ]
    // The order alternates, so that neither side always runs on the warmer machine.
    for (const benchmark of benchmarks) {
      for (const { folder, costs } of round % 2 === 0 ? sides : sides.toReversed()) {
        for (const [name, cost] of costsIn(await runBenchmark(folder, benchmark))) {
          const key = `${benchmark.name}: ${name}`
          costs.set(key, Math.min(cost, costs.get(key) ?? Number.POSITIVE_INFINITY))
        }
      }
    }
  }
} finally {
  other.remove()
}

const rows = [...least.now].flatMap(([name, now]) => {
  const before = least.before.get(name)
  return before === undefined ? [] : [{ name, before, now, ratio: before / now }]
})
const bound = 1 - Number(allowed) / 100
const slower = rows.filter(({ ratio }) => ratio < bound)
console.log(`Node ${process.versions.node}, least of ${rounds} rounds, ${commit} before, this checkout now\n`)
console.log('| case | before | now | before / now | |\n|---|---:|---:|---:|---|')
for (const { name, before, now, ratio } of rows) {
  console.log(`| ${name} | ${before} | ${now} | ${ratio.toFixed(2)} | ${ratio < bound ? 'slower' : ''} |`)
}
console.log(`\n${rows.length} cases, ${slower.length} slower than ${bound.toFixed(2)} of before`)
process.exitCode = rows.length === 0 || slower.length > 0 ? 1 : 0
