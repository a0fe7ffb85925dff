/** What an entry consists of, and what the first page costs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { entryOf, type Manifest, WebBuild } from '../../src/built/web-build.ts'
import { ConsoleNotBuilt } from '../../src/errors.ts'

const BUILT = fileURLToPath(new URL('../../web/', import.meta.url))

const MANIFEST: Manifest = {
  'a.tsx': { file: 'a-1.js', imports: ['_both'], dynamicImports: ['page.tsx'], css: ['a-1.css'] },
  'b.tsx': { file: 'b-1.js', imports: ['_both'] },
  _both: { file: 'both-1.js', css: ['both-1.css'] },
  'page.tsx': { file: 'page-1.js', imports: ['_both', 'a.tsx', '_more'] },
  _more: { file: 'more-1.js' }
}

t.test('an entry with what it imports, now and later', async (t) => {
  const { files, ...entry } = entryOf(MANIFEST, 'a.tsx', '/')
  t.strictSame(entry, { script: 'a-1.js', modules: ['both-1.js'], styles: ['both-1.css', 'a-1.css'] })
  t.strictSame([...files].sort(), ['a-1.css', 'a-1.js', 'both-1.css', 'both-1.js', 'more-1.js', 'page-1.js'])
  t.strictSame([...entryOf(MANIFEST, 'b.tsx', '/').files].sort(), ['b-1.js', 'both-1.css', 'both-1.js'])
})

t.test('what was not built is said at boot', async (t) => {
  t.throws(() => entryOf(MANIFEST, 'c.tsx', '/'), ConsoleNotBuilt)
  t.throws(() => new WebBuild(t.testdir({})), { code: 'SVC_CONSOLE_NOT_BUILT', message: /fixtures|tap/ })
})

t.test('a file that failed to be read once is read again', async (t) => {
  const folder = t.testdir({ 'manifest.json': '{}' })
  const build = new WebBuild(folder)
  await t.rejects(build.file('late.js'), { code: 'ENOENT' })
  writeFileSync(`${folder}/late.js`, 'x')
  t.equal(String((await build.file('late.js')).bytes), 'x')
})

t.test('the public entry shares nothing with the console but what both need', async (t) => {
  const build = new WebBuild(BUILT)
  const [all, open] = [build.entry('console.tsx'), build.entry('sign-in.tsx')]
  t.notOk(open.files.has(all.script))
  for (const file of all.files) if (/^\w+-page-/.test(file)) t.notOk(open.files.has(file), file)
})

t.test('what draws charts is in no first load', async (t) => {
  const build = new WebBuild(BUILT)
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
  const build = new WebBuild(BUILT)
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
