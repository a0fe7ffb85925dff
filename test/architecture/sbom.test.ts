/** The bill of materials of a release: CycloneDX, with what the packages depend on at run time and no tool. */
import { execFile } from 'node:child_process'
import { readFile as readText, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { inRoot, packageNames, readFile } from './repository.ts'

const run = promisify(execFile)

interface Bom {
  readonly bomFormat: string
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[]
}

t.test('npm run release -- sbom', async (t) => {
  t.teardown(() => rm(inRoot('sbom.cdx.json'), { force: true }))
  await run(process.execPath, [inRoot('.config/sbom.mjs')], { cwd: inRoot('.') })
  const { bomFormat, components } = JSON.parse(await readText(inRoot('sbom.cdx.json'), 'utf8')) as Bom
  t.equal(bomFormat, 'CycloneDX')
  const listed = new Set(components.map(({ name }) => name))
  for (const name of packageNames()) {
    const { dependencies = {} } = JSON.parse(readFile(`plugins/${name}/package.json`).text) as {
      dependencies?: Record<string, string>
    }
    for (const dependency of Object.keys(dependencies)) t.ok(listed.has(dependency), `${dependency} of ${name}`)
  }
  for (const tool of ['tap', 'typescript', '@biomejs/biome'])
    t.notOk(listed.has(tool), `${tool} is no part of a release`)
  for (const { name, purl } of components) t.match(purl, /^pkg:npm\//, name)
})
