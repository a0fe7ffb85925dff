/** Criteria as the conditions that drivers get. What is refused, the conformance suite tries with every operation. */

import { UuidIds } from 'svc-stores/table'
import t from 'tap'
import { conformanceEntities } from '../../src/conformance/fixtures.ts'
import { parseCriteria } from '../../src/criteria/parse-criteria.ts'
import { UnknownCriteriaField } from '../../src/errors.ts'

const ids = new UuidIds({ now: () => 0 })
const id = ids.generate()
const thing = conformanceEntities().find(({ name }) => name === 'Thing')
const at = new Date('2024-01-01T00:00:00Z')

const one = (field: string, operator: string, value: unknown) => [{ field, operator, value }]
const list = (field: string, operator: string, values: unknown[], orNull = false) => [
  { field, operator, values, orNull }
]

const TABLE: readonly (readonly [criteria: object, conditions: readonly object[]])[] = [
  [{}, []],
  [{ label: 'a' }, one('label', 'eq', 'a')],
  [{ label: null }, one('label', 'null', true)],
  [{ label: { $ne: null } }, one('label', 'null', false)],
  [{ label: { $null: false } }, one('label', 'null', false)],
  [{ label: ['a', null] }, list('label', 'in', ['a'], true)],
  [{ label: { $nin: [] } }, list('label', 'nin', [])],
  [{ label: { $like: 'a%' } }, [{ field: 'label', operator: 'like', pattern: 'a%' }]],
  [{ count: -0 }, one('count', 'eq', 0)],
  [{ at: { $gte: '2024-01-01T01:00:00+01:00' } }, one('at', 'gte', at)],
  [{ tags: 'a' }, list('tags', 'has', ['a'])],
  [{ tags: { $ne: 'a' } }, list('tags', 'hasnt', ['a'])],
  [{ tags: ['a', null] }, list('tags', 'has', ['a'], true)],
  [{ tags: null }, one('tags', 'null', true)],
  [{ id }, one('id', 'eq', id)],
  [{ id: 'wrong' }, list('id', 'in', [])],
  [{ id: { $ne: 'wrong' } }, list('id', 'nin', [])],
  [{ id: { $gt: 'wrong' } }, list('id', 'in', [])],
  [{ id: [id, 'wrong', 5] }, list('id', 'in', [id])],
  [{ owner: { $nin: ['wrong', null] } }, list('owner', 'nin', [], true)],
  [
    { count: { $gt: 1, $lte: 5 }, open: true },
    [...one('count', 'gt', 1), ...one('count', 'lte', 5), ...one('open', 'eq', true)]
  ]
]

t.test('each criterion is these conditions', async (t) => {
  if (thing === undefined) throw new Error('the suite has no Thing')
  for (const [criteria, conditions] of TABLE) t.strictSame(parseCriteria(thing, criteria, ids), conditions)
})

t.test('an object without a prototype is criteria as well', async (t) => {
  if (thing === undefined) throw new Error('the suite has no Thing')
  t.strictSame(parseCriteria(thing, Object.assign(Object.create(null), { label: 'a' }), ids), one('label', 'eq', 'a'))
})

t.test('a refusal names field and operator, and shows a name as text', async (t) => {
  if (thing === undefined) throw new Error('the suite has no Thing')
  t.throws(() => parseCriteria(thing, { count: { $gt: 'x' } }, ids), {
    message: 'criterion count $gt: expected a safe integer'
  })
  const unknown = t.throws(() => parseCriteria(thing, { 'a\nb': 1 }, ids), {
    name: 'UnknownCriteriaField',
    code: 'SVC_ORM_UNKNOWN_FIELD',
    statusCode: 400,
    field: 'a\\nb',
    message: /^no field "a\\nb" on Thing; known: id, label, /
  })
  t.ok(unknown instanceof UnknownCriteriaField)
  t.throws(() => parseCriteria(thing, { ['x'.repeat(5000)]: 1 }, ids), { message: /^.{1,400}$/ })
})

t.test('a relation needs the entity that it reaches', async (t) => {
  const book = conformanceEntities().find(({ name }) => name === 'Book')
  t.throws(() => parseCriteria(book as NonNullable<typeof book>, { 'author.name': 'x' }, ids), {
    code: 'SVC_ORM_UNKNOWN_ENTITY'
  })
})
