/**
 * `npm run coverage`: folders of pure decision logic are covered line by line, or this fails and names what is not.
 *
 *   npm run coverage                   runs the tests of the packages that own such folders
 *   npm run coverage -- --collected    reads what `npm test -- --coverage` has collected
 */
import { join } from 'node:path'
import { runAfterBootstrap } from './bootstrap.mjs'
import { linesOf, uncoveredFiles } from './line-coverage.mjs'
import { compiledFolders, folderCount, owners, pureSources } from './pure-folders.mjs'
import { root } from './run-step.mjs'
import { runTests } from './tap.mjs'
import { compiledTests } from './test-files.mjs'

await runAfterBootstrap(async (node) => {
  if (!process.argv.includes('--collected')) {
    const files = compiledTests(
      root,
      owners.map((owner) => join(root, owner))
    )
    const { failed } = await runTests(node, { files, covered: owners })
    if (failed > 0) return 1
  }
  const uncovered = uncoveredFiles(root, pureSources(root), await linesOf(root, compiledFolders))
  for (const line of uncovered) process.stdout.write(`${line}\n`)
  process.stdout.write(`${folderCount} folders, ${uncovered.length} files short of every line\n`)
  return uncovered.length > 0 ? 1 : 0
})
