/** The banner: where, in which mode, with what. */
import t from 'tap'
import { startBanner } from '../../src/serve/start-banner.ts'

const facts = {
  name: 'shop',
  mode: 'development',
  url: 'http://127.0.0.1:5151',
  modules: ['svc-a', 'svc-b'],
  warnings: 0
}
const plain = (_style: string, text: string): string => text

t.test('plain', async (t) => {
  t.equal(
    startBanner(facts, plain),
    '● shop is ready at http://127.0.0.1:5151  (development)\n  modules   svc-a, svc-b'
  )
})

t.test('no modules, two warnings', async (t) => {
  const text = startBanner({ ...facts, modules: [], warnings: 2 }, plain)
  t.equal(text.split('\n').slice(1).join('\n'), '  modules   none\n  warnings  2, above')
})

t.test('colours are passed in', async (t) => {
  t.match(
    startBanner(facts, (style, text) => `<${style}>${text}</>`),
    '<green>●</> <bold>shop</> is ready at <cyan>http://127.0.0.1:5151</>'
  )
})
