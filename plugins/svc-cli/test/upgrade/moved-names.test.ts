/**
 * The list of moved names against the exports themselves: those of version 0.1.0, kept as data, and those of today, read
 * from the sources by a parser.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parseSync } from 'vite'
import { moveOf } from '../../src/application/moved-names.ts'

const repository = fileURLToPath(new URL('../../../../../', import.meta.url))
const PLUGINS = join(repository, 'plugins')

interface StaticExport {
  readonly entries: ReadonlyArray<{
    readonly moduleRequest: { readonly value: string } | null
    readonly exportName: { readonly kind: string; readonly name: string | null }
  }>
}

/** Names that a source file exports, through its `export *` too. */
function exportsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8')) as unknown as {
    module: { staticExports: StaticExport[] }
  }
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, exportName }) => {
      if (exportName.name !== null) return [exportName.name]
      return moduleRequest?.value.startsWith('.') === true ? exportsOf(join(dirname(file), moduleRequest.value)) : []
    })
}

function exportsOfToday(): Map<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>()
  for (const name of readdirSync(PLUGINS).filter((folder) => existsSync(join(PLUGINS, folder, 'package.json')))) {
    const { exports = {} } = JSON.parse(readFileSync(join(PLUGINS, name, 'package.json'), 'utf8')) as {
      exports?: Record<string, { default?: string } | string>
    }
    for (const [path, target] of Object.entries(exports)) {
      const built = typeof target === 'string' ? '' : (target.default ?? '')
      const source = join(PLUGINS, name, built.replace('./dist/', '').replace(/\.js$/, '.ts'))
      if (built.endsWith('.js') && existsSync(source)) all.set(name + path.slice(1), new Set(exportsOf(source)))
    }
  }
  return all
}

const older = JSON.parse(
  readFileSync(join(repository, 'test/vectors/older-applications/exports-0.1.0.json'), 'utf8')
) as Record<string, string[]>

t.test(
  'U4: each name that an earlier version exported is exported still, or its new place is known and has it',
  async (t) => {
    const today = exportsOfToday()
    t.ok(today.size > 20, 'entries were found')
    let moved = 0
    for (const [specifier, names] of Object.entries(older)) {
      for (const name of names) {
        if (today.get(specifier)?.has(name) === true) {
          t.equal(moveOf(specifier, name), null, `${specifier} still has ${name}`)
          continue
        }
        moved += 1
        const move = moveOf(specifier, name)
        if (move === null) t.fail(`${specifier} has no ${name} any more, and nothing says where it is`)
        else if (move.kind === 'moved') t.ok(today.get(move.to)?.has(move.name), `${move.to} has ${move.name}`)
        else t.not(move.instead, '', `${name} has a word in its place`)
      }
    }
    t.ok(moved > 100)
  }
)
