/**
 * `npm test`: sets the repository up, then runs every compiled test with tap.
 *
 *   npm test                                   everything
 *   npm test -- plugins/svc-kernel access      tests whose path contains one of these words
 *   npm test -- --bail                         what begins with a dash goes to tap
 *
 * The last line is `N passed, N failed`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAfterBootstrap } from './bootstrap.mjs'
import { root } from './run-step.mjs'
import { projectFolders } from './stale-output.mjs'
import { prepareTap, runTests } from './tap.mjs'
import { describeCounts } from './tap-summary.mjs'
import { compiledTests, matchingTests } from './test-files.mjs'

await runAfterBootstrap(async (node) => {
  await prepareTap(node)
  const given = process.argv.slice(2)
  const words = given.filter((argument) => !argument.startsWith('-'))
  const flags = given.filter((argument) => argument.startsWith('-'))
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const files = matchingTests(compiledTests(root, projectFolders(root, references)), words)
  if (files.length === 0) process.stderr.write(`no test matches: ${words.join(' ')}\n`)
  const counts = files.length === 0 ? { passed: 0, failed: 1, skipped: 0 } : await runTests(node, [...flags, ...files])
  process.stdout.write(`\n${describeCounts(counts)}\n`)
  return counts.failed > 0 ? 1 : 0
})
