/** What a created application lists, against what its own files and the guides use. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { copyCreatedApp } from '../support/created-app.ts'
import { temporaryFolder } from '../support/shop.ts'
import { readPage } from './documentation/markdown-page.ts'
import { documentationPages, inRepository } from './documentation/repository.ts'

const PRESETS = ['minimal', 'api', 'full', 'full --database documents'] as const

async function created(t: Test, preset: (typeof PRESETS)[number]) {
  const folder = join(await temporaryFolder(t), 'shop')
  await copyCreatedApp(folder, preset)
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  return { read, dependencies: new Set(Object.keys(dependencies)) }
}

/** Packages that the code of the guides imports; a page may say itself what to install. */
function importedByGuides(): Map<string, string> {
  const found = new Map<string, string>()
  // Its applications are made by fastify-cli.
  for (const path of documentationPages().filter((page) => /^docs\/guides\/(?!fastify-cli)/.test(page))) {
    const text = readFileSync(inRepository(path), 'utf8')
    for (const { code } of readPage(path, text).blocks.filter(({ language }) => language === 'ts')) {
      for (const [, specifier = ''] of code.matchAll(/ from '([^'.][^']*)'/g)) {
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')
        const told = new RegExp(`npm install [^\\n]*${name}`).test(text)
        if (!name.startsWith('node:') && !told) found.set(name, path)
      }
    }
  }
  return found
}

t.test('C5: what the guides import can be resolved in a created application', async (t) => {
  const minimal = await created(t, 'minimal')
  const [sql, documents] = [await created(t, 'full'), await created(t, 'full --database documents')]
  const full = { dependencies: new Set([...sql.dependencies, ...documents.dependencies]) }
  for (const [name, page] of importedByGuides()) {
    const { dependencies } = name.startsWith('svc-') ? full : minimal
    t.ok(dependencies.has(name), `${page} imports ${name}`)
  }
})

t.test('N5: .env.example names every variable that env.ts reads', async (t) => {
  for (const preset of PRESETS) {
    const { read } = await created(t, preset)
    const variables = [...read('env.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]*): \{/gm)].map(([, name]) => name)
    const shown = [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)
    t.ok(variables.length > 2)
    t.strictSame([...new Set(shown)].sort(), variables.sort(), preset)
  }
})
