/** Which lines of sources ran, of what the processes of tests wrote when they ended. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where processes write what they ran, relative to the root. */
export const COLLECTED = '.tap/coverage'

/** @param folders patterns of compiled files @returns by path of the source, how many of its lines ran */
export async function linesOf(root, folders) {
  // This module is loaded before packages are installed.
  const { Report } = await import('c8')
  const reportsDirectory = join(root, '.tap', 'report')
  const tempDirectory = join(root, COLLECTED)
  // One file after the other: together they fill the memory.
  const options = { include: folders, mergeAsync: true, resolve: '' }
  await new Report({ ...options, tempDirectory, reportsDirectory, reporter: ['json-summary'] }).run()
  return JSON.parse(readFileSync(join(reportsDirectory, 'coverage-summary.json'), 'utf8'))
}

/** One line of text per file that falls short, in the order given. `files` are relative to `root`, as the summary's keys are below it. */
export function uncoveredFiles(root, files, summary) {
  return files.flatMap((file) => {
    const lines = summary[join(root, file)]?.lines
    if (lines === undefined) return [`${file}: no test loads it`]
    return lines.covered === lines.total ? [] : [`${file}: ${lines.covered} of ${lines.total} lines`]
  })
}
