/** Operations of the storage port on a table with a scope that no repository calls yet, but a new one may. */
import assert from 'node:assert/strict'
import type { ConformanceSubject } from '../../src/conformance/conformance-suite.ts'
import type { ConformanceRunner } from '../../src/conformance/index.ts'
import { emptyScoped, openScoped, type ScopedContext, twins } from '../../src/conformance/scope-fixtures.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import type { Rows } from './changed-table.ts'

type Operation = (writers: Rows, context: ScopedContext, foreign: AnyRow) => Promise<void>

const row = (context: ScopedContext, values: object): AnyRow => ({
  id: context.opened.database.ids.generate(),
  name: 'x',
  slug: null,
  mentorId: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  organizationId: null,
  ...values
})

const OPERATIONS: Readonly<Record<string, Operation>> = {
  counts: async (writers) => {
    assert.deepEqual(await writers.counts([], { ann: { name: 'Ann' } }), { total: 2, ann: 1 })
  },
  claim: async (writers) => {
    const claimed = await writers.claim([], { set: { name: 'claimed' } }, 9)
    assert.deepEqual(
      claimed.map(({ organizationId }) => organizationId as unknown),
      ['b', 'b']
    )
  },
  insertNew: async (writers, context) => {
    assert.equal(await writers.insertNew([row(context, { name: 'new' })]), 1)
    assert.equal((await writers.findOne([{ field: 'name', operator: 'eq', value: 'new' }]))?.organizationId, 'b')
  },
  'put of a new row': async (writers, context) => {
    assert.equal((await writers.put(row(context, { name: 'put' })))?.organizationId, 'b')
  },
  'put of a row of another scope': async (writers, context, { id }) => {
    assert.equal(await writers.put(row(context, { id })), null)
    assert.equal((await context.across(() => context.writers.findOne({ id })))?.name, 'Ann')
  },
  'a guarded put of its own row': async (writers, context) => {
    const own = await writers.findOne([{ field: 'name', operator: 'eq', value: 'Ann' }])
    const changed = row(context, { id: own?.id, name: 'Anne', slug: own?.slug as unknown })
    assert.equal(await writers.put({ ...changed }, { guard: { name: 'Ben' } }), null)
    assert.equal((await writers.put({ ...changed }, { guard: { name: 'Ann' } }))?.name, 'Anne')
  }
}

export async function scopedOperations(
  runner: ConformanceRunner,
  openEntities: ConformanceSubject['open']
): Promise<void> {
  const context = await openScoped({ open: openEntities })
  const table = context.opened.table('ScopedWriter')
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    await runner.test(name, async () => {
      await emptyScoped(context)
      const { a } = await twins(context)
      await context.within('b', () => operation(table, context, a.writer))
    })
  }
}
