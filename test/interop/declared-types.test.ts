/** What the published types of a package name: nothing that a consumer has to install beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const PLUGINS = fileURLToPath(new URL('../../../plugins', import.meta.url))

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const NAMED = /(?<!["'\w])(?:from|import)\s*\(?\s*["']([^"']+)["']/g

/** Packages that the declarations of an entry name, with the file that does. */
function namedBy(entry: string): Map<string, string> {
  const seen = new Set<string>()
  const named = new Map<string, string>()
  const open = [entry]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(NAMED)) {
      if (specifier.startsWith('.')) open.push(join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')))
      else if (!isBuiltin(specifier)) named.set(packageOf(specifier), file)
    }
  }
  return named
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

const typesOf = (name: string) => `@types/${name.replace('@', '').replace('/', '__')}`

for (const plugin of readdirSync(PLUGINS)) {
  const manifestFile = join(PLUGINS, plugin, 'package.json')
  if (!existsSync(manifestFile)) continue
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  t.test(`U9: the types of ${plugin} need no package that it does not bring`, async (t) => {
    const brought = { ...manifest.dependencies, ...manifest.peerDependencies, [plugin]: '' }
    for (const [name, target] of Object.entries(manifest.exports ?? {})) {
      const types = typeof target === 'string' ? undefined : target.types
      if (types === undefined) continue
      for (const [named, file] of namedBy(join(PLUGINS, plugin, types))) {
        const isBrought = Object.hasOwn(brought, named) || Object.hasOwn(brought, typesOf(named))
        t.ok(isBrought, `${name}: ${named}, of ${file}`)
        const isTypedElsewhere = manifest.devDependencies?.[typesOf(named)] !== undefined
        t.notOk(isTypedElsewhere && brought[typesOf(named)] === undefined, `${name}: ${typesOf(named)}, of ${file}`)
      }
    }
    t.pass('looked at')
  })
}
