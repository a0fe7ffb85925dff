/** Places in compiled files as places in their sources. Processes of tests read no source maps: that takes longer than most tests. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

const PLACE = /((?:plugins|test)\/[\w./-]*\bdist\/[\w./-]+\.js):(\d+):(\d+)/g

/** A line of output with what it says of `a/dist/b.js:1:2` said of `a/b.ts`; `root` is the folder of the repository. */
export function inSources(root, line) {
  return line.replace(PLACE, (place, file, row, column) => {
    const map = join(root, `${file}.map`)
    if (!existsSync(map)) return place
    const found = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(row - 1, column - 1)
    if (found.originalSource === undefined) return place
    const source = relative(root, resolve(dirname(map), found.originalSource))
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}
