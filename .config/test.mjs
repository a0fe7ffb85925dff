/**
 * `npm test`: sets the repository up, then runs every compiled test with tap.
 *
 *   npm test                                   everything but the files of the long run, which it names
 *   npm test -- --all                          everything, as CI does
 *   npm test -- plugins/svc-kernel access      tests whose path contains one of these words
 *   npm test -- --times                        prints what each file costs at the end
 *   npm test -- --coverage                     collects what `npm run coverage -- --collected` reads
 *   npm test -- --bail                         what else begins with a dash goes to tap
 *
 * The last line is `N passed, N failed`. Documents are tested on the server of `DOCDB_TEST_URI`, or of `DOCDB_URI`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAfterBootstrap } from './bootstrap.mjs'
import { owners } from './pure-folders.mjs'
import { root } from './run-step.mjs'
import { projectFolders } from './stale-output.mjs'
import { runTests } from './tap.mjs'
import { describeCounts } from './tap-summary.mjs'
import { compiledTests, matchingTests, sourceOf, splitByLength } from './test-files.mjs'

const ALL = '--all'
const COVERAGE = '--coverage'

// Tests make databases of their own: where the address of an application's stayed, it would take their place.
const { DOCDB_URI, DOCDB_TEST_URI = DOCDB_URI } = process.env
delete process.env.DOCDB_URI
delete process.env.SVC_DATABASE_URL
if (DOCDB_TEST_URI !== undefined) process.env.DOCDB_TEST_URI = DOCDB_TEST_URI

await runAfterBootstrap(async (node) => {
  const given = process.argv.slice(2)
  const words = given.filter((argument) => !argument.startsWith('-'))
  const flags = given.filter((argument) => argument.startsWith('-') && ![ALL, COVERAGE].includes(argument))
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const matching = matchingTests(compiledTests(root, projectFolders(root, references)), words)
  const { short, long } = splitByLength(root, matching)
  const left = words.length > 0 || given.includes(ALL) ? [] : long
  const files = left.length > 0 ? short : matching
  if (files.length === 0) process.stderr.write(`no test matches: ${words.join(' ')}\n`)
  const covered = given.includes(COVERAGE) ? owners : []
  const none = { passed: 0, failed: 1, skipped: 0, failures: [] }
  const counts = files.length === 0 ? none : await runTests(node, { flags, files, covered })
  const failures = counts.failures.map((failure) => `FAILED ${failure}\n`).join('')
  const leftOut = left.map((file) => `  ${sourceOf(file)}\n`).join('')
  const note = left.length > 0 ? `\nleft to the long run, npm test -- --all, as CI does it:\n${leftOut}` : ''
  process.stdout.write(`${note}\n${failures}${describeCounts(counts)}\n`)
  return counts.failed > 0 ? 1 : 0
})
