/**
 * A program: imports what its arguments name, one after another, and prints as JSON the ES modules that are reached both
 * by an `import` and by a `require`. Whether such a module can be required depends on who comes first; every other can
 * be loaded in any order. What a required module imports counts as required.
 */
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'

/** From a module to those it names, by the way it reaches them. The program itself has the name `''`. */
const reached = { import: new Map<string, Set<string>>(), require: new Map<string, Set<string>>() }
const ecmaScript = new Set<string>()

registerHooks({
  resolve(specifier, context, next) {
    const result = next(specifier, context)
    const way = context.conditions.includes('require') ? reached.require : reached.import
    const from = context.parentURL === import.meta.url ? '' : (context.parentURL ?? '')
    way.set(from, (way.get(from) ?? new Set()).add(result.url))
    return result
  },
  load(url, context, next) {
    const result = next(url, context)
    if (result.format === 'module') ecmaScript.add(url)
    return result
  }
})

for (const name of process.argv.slice(2)) await import(name)

// What CommonJS imports comes after it.
process.once('beforeExit', () => process.stdout.write(JSON.stringify(reachedBothWays())))

function reachedBothWays(): string[] {
  // One without `"type": "module"` is recognised only when it is compiled.
  for (const [file, loaded] of Object.entries(createRequire(import.meta.url).cache)) {
    if (types.isModuleNamespaceObject(loaded?.exports)) ecmaScript.add(String(pathToFileURL(file)))
  }
  const required = withTheirImports([...reached.require.values()].flatMap((urls) => [...urls]))
  // An ES module is reached by its importers; only the program and CommonJS begin an import.
  const begun = [...reached.import].filter(([from]) => !ecmaScript.has(from)).flatMap(([, urls]) => [...urls])
  return [...withTheirImports(begun)].filter((url) => required.has(url)).sort()
}

/** The ES modules among those named, and all that these import. */
function withTheirImports(named: Iterable<string>): Set<string> {
  const found = new Set<string>()
  for (const url of named) if (ecmaScript.has(url)) found.add(url)
  for (const url of found) for (const next of reached.import.get(url) ?? []) if (ecmaScript.has(next)) found.add(next)
  return found
}
