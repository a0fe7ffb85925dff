/** The memory engine passes the suite that every driver passes. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { ormConformance } from '../../src/conformance/index.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'

await ormConformance(t, { open: (entities) => new EntityRepositories({ database: memoryDatabase(), entities }) })
