/** What the entries of the console share, and what its first page costs. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { WebBuild } from 'svc-kernel/pages'
import t from 'tap'
import { ConsoleNotBuilt } from '../../src/errors.ts'

const BUILT = fileURLToPath(new URL('../../web/', import.meta.url))

t.test('the public entry shares nothing with the console but what both need', async (t) => {
  const build = new WebBuild(BUILT, ConsoleNotBuilt)
  const [all, open] = [build.entry('console.tsx'), build.entry('sign-in.tsx')]
  t.notOk(open.files.has(all.script))
  for (const file of all.files) if (/^\w+-page-/.test(file)) t.notOk(open.files.has(file), file)
})

t.test('what draws charts is in no first load', async (t) => {
  const build = new WebBuild(BUILT, ConsoleNotBuilt)
  const [script = '', style = ''] = [/^plot-.*\.js$/, /^plot-.*\.css$/].map((name) =>
    [...build.entry('console.tsx').files].find((file) => name.test(file))
  )
  t.match([script, style], [/^plot-/, /^plot-/], 'served')
  for (const page of ['system', 'webhooks']) {
    const { modules, styles } = build.entry(`pages/${page}/${page}-page.tsx`)
    t.notOk(
      [...modules, ...styles].some((file) => file === script || file === style),
      page
    )
  }
})

const MOST_BYTES = 60 * 1024

t.test('the first load: scripts of the frame and of any page, compressed', async (t) => {
  const build = new WebBuild(BUILT, ConsoleNotBuilt)
  const pages = Object.keys(JSON.parse(readFileSync(`${BUILT}manifest.json`, 'utf8'))).filter((source) =>
    source.startsWith('pages/')
  )
  t.ok(pages.length > 0)
  const frame = build.entry('console.tsx')
  for (const source of pages) {
    const page = build.entry(source)
    const scripts = new Set([frame.script, ...frame.modules, page.script, ...page.modules])
    const sizes = await Promise.all([...scripts].map(async (file) => (await build.file(file)).packed.length))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    t.ok(bytes <= MOST_BYTES, `${source}: ${bytes} bytes`)
  }
})
