/** What a page downloads: bundled and compressed, 4 kB. */
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import t from 'tap'

t.test('the client is at most 4 kB, compressed', async (t) => {
  const input = new URL('../src/index.js', import.meta.url).pathname
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ minify: true, format: 'es' })
  t.equal(output.length, 1)
  t.strictSame(output[0].imports, [], 'it depends on nothing')
  const bytes = gzipSync(output[0].code, { level: 9 }).length
  t.ok(bytes <= 4096, `${bytes} bytes`)
})
