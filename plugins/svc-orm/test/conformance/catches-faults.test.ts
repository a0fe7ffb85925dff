/** A suite that no driver can fail proves nothing: each of these drivers has one fault, and the suite finds it. */
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { compareWithReference } from '../../src/conformance/compare-with-reference.ts'
import { ormConformance } from '../../src/conformance/index.ts'
import type { Condition } from '../../src/criteria/condition.ts'
import type { EntityGateway } from '../../src/driver/entity-gateway.ts'
import type { OrmConnector } from '../../src/driver/orm-connector.ts'
import type { CompiledEntity } from '../../src/entity/compiled-entity.ts'
import { memoryConnector } from '../../src/memory/memory-connector.ts'
import { rowMatcher } from '../../src/memory/row-matcher.ts'
import type { PortableRepository } from '../../src/repository/portable-repository.ts'

/** Puts another gateway before the one in memory. */
function openWith(spoil: (gateway: EntityGateway, connector: OrmConnector) => EntityGateway) {
  return (entities: readonly CompiledEntity[]): OrmConnector => {
    const connector = memoryConnector()
    connector.prepare(entities)
    const inner = connector as OrmConnector & ConstructorParameters<typeof PortableRepository>[1]
    const gateways = new Map(entities.map(({ name }) => [name, inner.gateway(name)]))
    inner.gateway = (name) => {
      const found = gateways.get(name)
      if (found === undefined) throw new Error(name)
      return { entity: found.entity, gateway: spoil(found.gateway, connector) }
    }
    return connector
  }
}

/** A gateway with some operations of its own. */
function changed(gateway: EntityGateway, own: Partial<EntityGateway>): EntityGateway {
  const rest: EntityGateway = {
    select: (selection) => gateway.select(selection),
    insert: (rows) => gateway.insert(rows),
    insertIfAbsent: (row, key) => gateway.insertIfAbsent(row, key),
    updateOne: (conditions, changes) => gateway.updateOne(conditions, changes),
    updateMany: (conditions, changes) => gateway.updateMany(conditions, changes),
    deleteOne: (conditions) => gateway.deleteOne(conditions),
    deleteMany: (conditions) => gateway.deleteMany(conditions),
    count: (conditions) => gateway.count(conditions),
    exists: (conditions) => gateway.exists(conditions),
    within: (tx) => changed(gateway.within(tx), own)
  }
  return { ...rest, ...own }
}

/** As SQL would have it without care: a comparison with null is never true. */
const nullIsUnknown = (gateway: EntityGateway) =>
  changed(gateway, {
    select: async (selection) => {
      const rows = await gateway.select({ ...selection, limit: null, offset: 0 })
      const unknown = selection.conditions.filter(({ operator }) => operator === 'ne' || operator === 'nin')
      return rows
        .filter((row) => unknown.every(({ field }) => row[field] !== null))
        .slice(0, selection.limit ?? undefined)
    }
  })

const foldsCase = (gateway: EntityGateway) =>
  changed(gateway, {
    count: async (conditions) => {
      const rows = await gateway.select({ conditions: [], order: [], limit: null, offset: 0 })
      const folded = conditions.map(
        (each): Condition =>
          'value' in each && typeof each.value === 'string' && each.operator === 'eq' && each.field === 'label'
            ? { ...each, value: each.value.toLowerCase() }
            : each
      )
      const matches = rowMatcher(folded)
      return rows.filter((row) =>
        matches({ ...row, label: typeof row.label === 'string' ? row.label.toLowerCase() : null })
      ).length
    }
  })

const sortsByUtf16 = (gateway: EntityGateway) =>
  changed(gateway, {
    select: async (selection) => {
      const rows = await gateway.select(selection)
      const [key] = selection.order
      if (key?.field !== 'label' || selection.order.length > 2) return rows
      const text = (value: unknown) => (typeof value === 'string' ? `1${value}` : '0')
      const sign = key.direction === 'ASC' ? 1 : -1
      return rows.sort((a, b) => (text(a.label) < text(b.label) ? -sign : text(a.label) > text(b.label) ? sign : 0))
    }
  })

const readsThenWrites = (gateway: EntityGateway) =>
  changed(gateway, {
    updateOne: async (conditions, changes) => {
      const [row] = await gateway.select({
        conditions,
        order: [{ field: 'id', direction: 'ASC' }],
        limit: 1,
        offset: 0
      })
      await setImmediate()
      const sums = new Map([...changes.add].map(([name, delta]) => [name, Number(row?.[name] ?? 0) + delta]))
      return gateway.updateOne(conditions, { ...changes, set: new Map([...changes.set, ...sums]), add: new Map() })
    }
  })

const looksBeforeItLeaps = (gateway: EntityGateway) =>
  changed(gateway, {
    insertIfAbsent: async (row, key) => {
      const conditions = key.map((field): Condition => ({ field, operator: 'eq', value: String(row[field]) }))
      const [held] = await gateway.select({ conditions, order: [], limit: 1, offset: 0 })
      if (held !== undefined) return held
      await setImmediate()
      await gateway.insert([row])
      return row
    }
  })

const staysOutside = (gateway: EntityGateway): EntityGateway =>
  changed(gateway, { within: () => staysOutside(gateway) })

const FAULTS: readonly (readonly [name: string, open: ReturnType<typeof openWith>, found: RegExp])[] = [
  ['null is unknown', openWith(nullIsUnknown), /each criterion finds what it says/],
  ['case is folded', openWith(foldsCase), /each criterion finds what it says/],
  ['text sorts by UTF-16', openWith(sortsByUtf16), /values sort by their kind/],
  ['increment reads, then writes', openWith(readsThenWrites), /a hundred increments at once/],
  ['upsert looks, then inserts', openWith(looksBeforeItLeaps), /fifty upserts of one key/],
  ['a transaction that is none', openWith(staysOutside), /what rejects is undone whole/]
]

t.test('each fault fails its case', async (t) => {
  for (const [name, open, found] of FAULTS) {
    const failed: string[] = []
    const runner = {
      test: async (title: string, body: () => Promise<void>) => {
        await body().catch(() => failed.push(title))
      }
    }
    await ormConformance(runner, { open })
    t.ok(
      failed.some((title) => found.test(title)),
      `${name}: ${failed.join('; ')}`
    )
  }
})

t.test('the comparison finds what reads differently, and nothing on the reference itself', async (t) => {
  await compareWithReference({ open: openWith((gateway) => gateway) })
  await t.rejects(compareWithReference({ open: openWith(nullIsUnknown) }, { runs: 200 }))
  await t.rejects(compareWithReference({ open: openWith(sortsByUtf16) }, { runs: 500 }))
})
