/** The guard runs the benchmarks of a commit with the scripts that this commit has. */
import t from 'tap'
import { BENCHMARKS, commandOf, type QuickBenchmark } from './quick-benchmarks.ts'

const orm = BENCHMARKS.find(({ name }) => name === 'orm') as QuickBenchmark
const audit = BENCHMARKS.find(({ name }) => name === 'audit') as QuickBenchmark

t.test('a checkout with one runner for all benchmarks, and one from before it', async (t) => {
  const now = t.testdir({ '.config': { 'bench.mjs': '' } })
  t.same(commandOf(now, orm), [`${now}/.config/bench.mjs`, 'orm', '3', '1000'])
  const before = t.testdir({ '.config': { 'bench-orm.mjs': '' } })
  t.same(commandOf(before, orm), [`${before}/.config/bench-orm.mjs`, '3', '1000'])
})

t.test('others are run without a script, with their flags', async (t) => {
  const folder = t.testdir()
  t.same(commandOf(folder, audit).slice(-3), [`${folder}/test/dist/bench/audit/run.js`, '3', '50000'])
  t.equal(commandOf(folder, audit)[0], '--expose-gc')
})
