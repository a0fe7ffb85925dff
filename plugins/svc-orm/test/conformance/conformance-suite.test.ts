/** The memory engine passes the suite that every driver passes, also where columns have other names than their fields. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { compareTrees } from '../../src/conformance/compare-trees.ts'
import { ormConformance } from '../../src/conformance/index.ts'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'

await ormConformance(t, { open: (entities) => new EntityRepositories({ database: memoryDatabase(), entities }) })

/** Over an existing table in which the name of each field is the column of the field before it. */
function overExistingTable(entity: CompiledEntity): CompiledEntity {
  const names = ['id', ...entity.fields.keys()]
  const columns = Object.fromEntries(names.map((name, place) => [name, names[place + 1] ?? 'last']))
  return { ...entity, existing: { name: entity.table, columns, writable: true } }
}

/** One that leaves references to the repository. */
const database = () => Object.defineProperty(memoryDatabase(), 'references', { value: false })

await ormConformance(t, {
  open: (entities) => new EntityRepositories({ database: database(), entities: entities.map(overExistingTable) })
})

/** As a server without transactions: what the rules of references ask for is done without. */
const alone = () =>
  Object.defineProperties(memoryDatabase(), {
    references: { value: false },
    transactions: { value: false },
    transaction: { value: () => Promise.reject(new Error('there is none')) }
  })

await ormConformance(t, {
  open: (entities) => new EntityRepositories({ database: alone(), entities }),
  transactions: false,
  savepoints: false
})

await t.test('random trees, beside a model', () =>
  compareTrees({ open: (entities) => new EntityRepositories({ database: memoryDatabase(), entities }) })
)
