/** Counts of related rows, and comparisons with another field: what is refused, and with which words. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { defineFieldType } from '../../src/fields/define-field-type.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'

const colour = defineFieldType<string>({
  name: 'counted-colour',
  storage: 'text',
  read: (given) => (typeof given === 'string' ? given : undefined),
  expected: 'a colour',
  schema: { type: 'string' },
  can: { order: false }
})

const definitions: readonly EntityDefinition[] = [
  {
    name: 'Order',
    schema: {
      total: { type: 'integer' },
      paid: { type: 'integer' },
      colour: { type: colour },
      shade: { type: colour },
      open: { type: 'boolean' },
      late: { type: 'boolean' },
      tags: { type: 'string', array: true },
      price: { type: 'decimal', scale: 2 },
      rate: { type: 'decimal', scale: 3 },
      secret: { type: 'string', sealed: 'searchable' }
    },
    relations: { lines: { type: 'one-to-many', target: 'Line', mappedBy: 'order' } }
  },
  {
    name: 'Line',
    schema: { name: { type: 'string' } },
    relations: { order: { type: 'many-to-one', target: 'Order' } }
  },
  {
    name: 'Poll',
    schema: { counts: { type: 'integer' } },
    relations: { votes: { type: 'one-to-many', target: 'Vote', mappedBy: 'poll' } }
  },
  { name: 'Vote', schema: {}, relations: { poll: { type: 'many-to-one', target: 'Poll' } } }
]
const { entities } = compileEntities(
  definitions.map((definition) => ({ definition, place: null })),
  'memory'
)
const repositories = new EntityRepositories({ database: memoryDatabase(), entities })
const find = (entity: string, criteria: object, options?: object) =>
  repositories.repository(entity).find(criteria as AnyRow, options as never)

t.test('counts', async (t) => {
  t.strictSame(
    await find('Order', {}, { counts: { lines: true, named: { relation: 'lines', where: { name: 'a' } } } }),
    []
  )
  for (const [entity, counts] of [
    ['Order', 'lines'],
    ['Order', { lines: 5 }],
    ['Order', { lines: { limit: 5 } }],
    ['Order', { 'a b': { relation: 'lines' } }],
    ['Line', { order: true }],
    ['Poll', { votes: true }]
  ] as const) {
    await t.rejects(find(entity, {}, { counts }), { code: 'SVC_ORM_OPTIONS', statusCode: 400 }, JSON.stringify(counts))
  }
  await t.rejects(find('Order', {}, { counts: { pages: true } }), { code: 'SVC_ORM_UNKNOWN_RELATION' })
})

t.test('a field against another one', async (t) => {
  t.strictSame(
    await find('Order', {
      paid: { $field: { $lt: 'total', $ne: 'total' } },
      open: { $field: { $eq: 'late' } },
      colour: { $field: { $eq: 'shade' } }
    }),
    []
  )
  for (const criteria of [
    { paid: { $field: 'total' } },
    { paid: { $field: {} } },
    { paid: { $field: { $like: 'total' } } },
    { paid: { $field: { $lt: 5 } } },
    { paid: { $field: { $lt: 'open' } } },
    { price: { $field: { $lt: 'rate' } } },
    { tags: { $field: { $eq: 'tags' } } },
    { colour: { $field: { $lt: 'shade' } } },
    { secret: { $field: { $eq: 'secret' } } },
    { paid: { $field: { $eq: 'tags' } } }
  ]) {
    await t.rejects(find('Order', criteria), { code: 'SVC_ORM_CRITERIA', statusCode: 400 }, JSON.stringify(criteria))
  }
})
