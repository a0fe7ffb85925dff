/**
 * `npm run mutants -- <folder>`: changes the code of a folder of sources, one place at a time, and runs the tests of its
 * package that reach the place. A change that no test notices is listed, with its line.
 *
 *   npm run mutants -- plugins/svc-orm/src/criteria                  every mutant of the folder, or of one file
 *   npm run mutants -- plugins/svc-orm/src/criteria --sample 50      50 of them, the same ones each time
 *   npm run mutants -- plugins/svc-orm/src/criteria --seed 2         others
 *
 * A change that changes nothing that can be observed is named in the source, with its reason:
 * `// Stryker disable next-line all: <why>`. The last line is `N killed, N survived, N without a test: NN %`.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runAfterBootstrap } from './bootstrap.mjs'
import { instrument } from './mutants/instrument.mjs'
import { Judge } from './mutants/judge.mjs'
import { sampleOf, summary } from './mutants/report.mjs'
import { root } from './run-step.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } }
})

await runAfterBootstrap(async (node) => {
  const [, plugin, below] = /^(plugins\/[^/]+)\/src\/?(.*?)\/?$/.exec(positionals[0] ?? '') ?? []
  const compiled = plugin && join(root, plugin, 'dist/src', below.replace(/\.ts$/, '.js'))
  if (!compiled || !existsSync(compiled)) {
    process.stderr.write('mutants: name a folder or a file of sources, such as plugins/svc-orm/src/criteria\n')
    return 1
  }
  const { modules, mutants } = await instrument(
    root,
    statSync(compiled).isFile() ? [compiled] : filesOf(compiled, '.js')
  )
  const equivalent = mutants.filter((mutant) => mutant.equivalent !== null)
  const judged = sampleOf(
    mutants.filter((mutant) => mutant.equivalent === null),
    values
  )
  const judge = new Judge(node, modules)
  try {
    const runs = await judge.reach(filesOf(join(root, plugin, 'dist/test'), '.test.js'))
    for (const { file } of runs.filter(({ passed }) => !passed))
      process.stdout.write(`left out: ${file.slice(root.length)}\n`)
    const verdicts = await judge.verdicts(judged, runs)
    process.stdout.write(summary(judged, verdicts, { all: mutants.length, equivalent: equivalent.length }))
  } finally {
    judge.close()
  }
  return 0
})

function filesOf(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name))
}
