/** Running totals: which entities and fields have none. */
import t from 'tap'
import { readRunning } from '../../src/criteria/read-running.ts'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import type { FieldDefinition } from '../../src/index.ts'

function entityOf(schema: Readonly<Record<string, FieldDefinition>>): CompiledEntity {
  const definition = { name: 'Payment', schema: { amount: { type: 'integer' }, ...schema } } as const
  return compileEntities([{ definition, place: null }], 'memory').entities[0] as CompiledEntity
}

t.test('an entity with a field of that name has none', async (t) => {
  const running = { paid: { sum: 'amount' } }
  t.match(readRunning(entityOf({}), running), [{ name: 'paid', by: [], from: 'first' }])
  t.throws(() => readRunning(entityOf({ running: { type: 'boolean' } }), running), {
    code: 'SVC_ORM_OPTIONS',
    message: /an entity without a field or relation of that name, unlike Payment/
  })
})

t.test('totals are not kept apart by a sealed field', async (t) => {
  const entity = entityOf({ payer: { type: 'string', sealed: 'searchable' } })
  t.throws(() => readRunning(entity, { paid: { sum: 'amount', by: ['payer'] } }), {
    code: 'SVC_ORM_OPTIONS',
    message: /running\.paid\.by/
  })
})
