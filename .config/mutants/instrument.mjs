/** The mutants of compiled modules: Stryker's instrumenter puts them all into the text at once, each behind a switch. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Instrumenter } from '@stryker-mutator/instrumenter'

const ignore = () => undefined
const SILENT = { isDebugEnabled: () => false, debug: ignore, info: ignore, warn: ignore }

/** A change of a text alone; tests do not judge the words of messages. */
const LEFT_OUT = ['StringLiteral']

/**
 * @param files paths of compiled modules
 * @returns the instrumented texts by file address, and the mutants: `id`, `file:line` of the source, what is changed
 */
export async function instrument(root, files) {
  const options = { plugins: null, excludedMutations: LEFT_OUT, ignorers: [] }
  const modules = {}
  const mutants = []
  for (const [number, name] of files.entries()) {
    const content = readFileSync(name, 'utf8')
    const { files: out, mutants: found } = await new Instrumenter(SILENT).instrument(
      [{ name, mutate: true, content }],
      options
    )
    // Numbers of mutants begin anew in each call.
    modules[pathToFileURL(name).href] = out[0].content.replaceAll(
      /(stryMutAct_\w+|stryCov_\w+)\(("[^)]*")\)/g,
      (_whole, call, ids) => `${call}(${ids.replaceAll(/"(\d+)"/g, `"${number}.$1"`)})`
    )
    const map = new SourceMap(JSON.parse(readFileSync(`${name}.map`, 'utf8')))
    const source = relative(root, name).replace('/dist/', '/').replace(/\.js$/, '.ts')
    const lines = content.split('\n')
    for (const { id, location, mutatorName, replacement, statusReason, status } of found) {
      if (LEFT_OUT.includes(mutatorName)) continue
      const { start, end } = location
      const { originalLine = start.line } = map.findEntry(start.line, start.column)
      const [first = ''] = lines.slice(start.line, end.line + 1)
      const from = first.slice(start.column, start.line === end.line ? end.column : undefined)
      mutants.push({
        id: `${number}.${id}`,
        place: `${source}:${originalLine + 1}`,
        change: `${mutatorName}: ${from.trim()} -> ${replacement.replaceAll(/\s+/g, ' ')}`,
        equivalent: status === 'Ignored' ? statusReason : null
      })
    }
  }
  return { modules, mutants }
}
