/** A brand holds on the object that was marked, and on no copy, heir, proxy or object of another brand. */
import t from 'tap'
import { newBrand } from '../../src/identity/identity.ts'

const brand = newBrand()
const marked = { name: 'ada' }
brand.mark(marked)
Object.freeze(marked)

const rows: ReadonlyArray<[title: string, object: object, bears: boolean]> = [
  ['the object itself', marked, true],
  ['another object', { name: 'ada' }, false],
  ['a copy', { ...marked }, false],
  ['a structured clone', structuredClone(marked), false],
  ['an heir', Object.create(marked) as object, false],
  ['a proxy', new Proxy(marked, {}), false],
  ['a function', () => marked, false]
]

for (const [title, object, bears] of rows) {
  t.test(`${title}: ${bears ? 'bears it' : 'does not bear it'}`, async (t) => {
    t.equal(brand.bears(object), bears)
  })
}

t.test('a mark is invisible, and of its brand alone', async (t) => {
  t.same(Reflect.ownKeys(marked), ['name'])
  t.notOk(newBrand().bears(marked))
})
