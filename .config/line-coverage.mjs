/** Reads a coverage summary for files of which every line must have run. A file that never loaded has none. */
import { join } from 'node:path'

/** One line of text per file that falls short, in the order given. `files` are relative to `root`, as the summary's keys are below it. */
export function uncoveredFiles(root, files, summary) {
  return files.flatMap((file) => {
    const lines = summary[join(root, file)]?.lines
    if (lines === undefined) return [`${file}: no test loads it`]
    return lines.covered === lines.total ? [] : [`${file}: ${lines.covered} of ${lines.total} lines`]
  })
}
