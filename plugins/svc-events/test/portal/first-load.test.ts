/** What a customer's browser loads before the portal is there. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { WebBuild } from 'svc-kernel/pages'
import t from 'tap'
import { PortalNotBuilt } from '../../src/errors.ts'
import { EN } from '../../src/portal/texts-en.ts'

const BUILT = fileURLToPath(new URL('../../portal/', import.meta.url))
const MOST_BYTES = 60_000

t.test('the first load: every file of the page, and its texts, compressed', async (t) => {
  const build = new WebBuild(BUILT, PortalNotBuilt)
  const { files, script } = build.entry('portal.tsx')
  t.ok(files.has(script))
  const sizes = await Promise.all([...files].map(async (file) => (await build.file(file)).packed.length))
  // The texts come twice: with the document, and with the session in the language of the link.
  const bytes = sizes.reduce((sum, size) => sum + size, 2 * gzipSync(JSON.stringify(EN)).length)
  t.comment(`${bytes} bytes`)
  t.ok(bytes > 10_000, 'it is all counted')
  t.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
})
