/** A map of entries that come and go: it answers as a `Map` does, and keeps nothing of those that are gone. */
import t from 'tap'
import { BriefMap } from '../../src/plugin/brief-map.ts'

t.test('entries by their keys, in the order in which they came', async (t) => {
  const map = new BriefMap<string, { readonly number: number }>()
  map.set('a', { number: 1 })
  map.set('b', { number: 2 })
  map.set('a', { number: 3 })
  t.equal(map.size, 2)
  t.strictSame([...map.keys()], ['a', 'b'])
  t.strictSame([...map.values()], [{ number: 3 }, { number: 2 }])
  t.strictSame(map.get('a'), { number: 3 })
  t.equal(map.get('c'), undefined)
  t.equal(map.has('b'), true)
})

t.test('those that are taken out, one or all', async (t) => {
  const map = new BriefMap<string, object>()
  for (const key of ['a', 'b', 'c']) map.set(key, {})
  t.equal(map.delete('b'), true)
  t.equal(map.delete('b'), false)
  t.equal(map.has('b'), false)
  t.equal(map.get('b'), undefined)
  t.equal(map.size, 2)
  map.clear()
  t.equal(map.size, 0)
  t.strictSame([...map.values()], [])
})
