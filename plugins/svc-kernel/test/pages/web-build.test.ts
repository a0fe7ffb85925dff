/** What an entry consists of, and which files a build answers. */
import { writeFileSync } from 'node:fs'
import t from 'tap'
import { entryOf, escaped, type Manifest, WebBuild } from '../../src/pages/web-build.ts'

class NotBuilt extends Error {
  constructor(folder: string) {
    super(`nothing in ${folder}`)
  }
}

const missing = () => new NotBuilt('/')

const MANIFEST: Manifest = {
  'a.tsx': { file: 'a-1.js', imports: ['_both'], dynamicImports: ['page.tsx'], css: ['a-1.css'] },
  'b.tsx': { file: 'b-1.js', imports: ['_both'] },
  _both: { file: 'both-1.js', css: ['both-1.css'] },
  'page.tsx': { file: 'page-1.js', imports: ['_both', 'a.tsx', '_more'] },
  _more: { file: 'more-1.js' }
}

t.test('an entry with what it imports, now and later', async (t) => {
  const { files, ...entry } = entryOf(MANIFEST, 'a.tsx', missing)
  t.strictSame(entry, { script: 'a-1.js', modules: ['both-1.js'], styles: ['both-1.css', 'a-1.css'] })
  t.strictSame([...files].sort(), ['a-1.css', 'a-1.js', 'both-1.css', 'both-1.js', 'more-1.js', 'page-1.js'])
  t.strictSame([...entryOf(MANIFEST, 'b.tsx', missing).files].sort(), ['b-1.js', 'both-1.css', 'both-1.js'])
})

t.test('what was not built is said at boot', async (t) => {
  t.throws(() => entryOf(MANIFEST, 'c.tsx', missing), { message: 'nothing in /' })
  t.throws(() => new WebBuild(t.testdir({}), NotBuilt), /nothing in .*(?:fixtures|tap)/)
})

t.test('a file that failed to be read once is read again', async (t) => {
  const folder = t.testdir({ 'manifest.json': '{}' })
  const build = new WebBuild(folder, NotBuilt)
  await t.rejects(build.file('late.js'), { code: 'ENOENT' })
  writeFileSync(`${folder}/late.js`, 'x')
  t.equal(String((await build.file('late.js')).bytes), 'x')
})

t.test('a text becomes no markup', async (t) => {
  t.equal(escaped(`<a title="'&'">`), '&lt;a title=&quot;&#39;&amp;&#39;&quot;&gt;')
})
