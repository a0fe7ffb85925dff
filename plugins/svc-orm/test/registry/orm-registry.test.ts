/** Entities meet their connectors: by name, or by default; all mistakes at once. */
import { BootError, type Problem, systemClock } from 'svc-kernel'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import type { Declared, EntitySource } from '../../src/entities/entities.ts'
import { defineEntity } from '../../src/entities/entity-definition.ts'
import type { OrmPort } from '../../src/registry/orm-port.ts'
import { OrmRegistry } from '../../src/registry/orm-registry.ts'
import type { OrmConnector } from '../../src/repository/entity-repositories.ts'
import { CallerScopes } from '../../src/scope/caller-scopes.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })
const Log = defineEntity({ name: 'Log', schema: { line: { type: 'text' } } })

class Model {}

const declared = (source: EntitySource, connector: string | null = null): Declared => ({
  source,
  connector,
  place: 'a.ts:1'
})

function registryOf(...connectors: OrmConnector[]): OrmRegistry {
  const registry = new OrmRegistry({
    drift: 'warn',
    sealing: null,
    folders: { migrations: '/migrations', seeds: '/seeds' },
    host: { importModule: async () => ({}) },
    flow: { enabled: true, slowMs: 100 },
    clock: { ...systemClock, now: () => 0 },
    instance: 'here:1',
    scopes: new CallerScopes(),
    onCrossing: () => undefined
  })
  for (const connector of connectors) registry.addConnector(connector)
  return registry
}

function problemsOf(registry: OrmRegistry, given: readonly Declared[]): readonly Problem[] {
  try {
    registry.open(given)
    return []
  } catch (error) {
    if (error instanceof BootError) return error.problems
    throw error
  }
}

t.test('the first connector is the default; one name may live on several', async (t) => {
  const registry = registryOf(memoryDatabase({ name: 'one' }), memoryDatabase({ name: 'two' }))
  registry.open([declared(Note), declared(Note, 'two'), declared(Log, 'two')])
  const orm: OrmPort = registry
  t.strictSame(
    registry.entities().map(({ name }) => name),
    ['Note', 'Note', 'Log']
  )
  t.strictSame(
    registry.entities('two').map(({ name }) => name),
    ['Note', 'Log']
  )
  await orm.repository(Note).create({ title: 'x' })
  t.equal(await orm.repository('Note').count(), 1)
  t.equal(await orm.repository('Note', 'two').count(), 0)
  t.equal(orm.repository('Note'), orm.repository(Note, 'one'), 'made once')
  await orm.transaction(async (tx) => {
    t.equal(tx.connector, 'two')
    await orm.repository(Log, 'two').withTransaction(tx).create({ line: 'l' })
  }, 'two')
  t.equal(await orm.repository(Log, 'two').count(), 1)
})

t.test('what cannot be had is told by name', async (t) => {
  const registry = registryOf(memoryDatabase({ name: 'one' }))
  t.throws(() => registry.repository('Note'), { code: 'SVC_ORM_NOT_READY' })
  t.throws(() => registry.entities(), { code: 'SVC_ORM_NOT_READY' })
  t.throws(() => registry.addConnector(memoryDatabase({ name: 'one' })), { code: 'SVC_ORM_DUPLICATE_CONNECTOR' })
  registry.open([declared(Note)])
  t.throws(() => registry.repository('Nope'), {
    code: 'SVC_ORM_UNKNOWN_ENTITY',
    message: 'no entity named "Nope" is declared for this connector'
  })
  t.throws(() => registry.repository('Note', 'two'), { code: 'SVC_ORM_UNKNOWN_CONNECTOR', message: /known: one/ })
  t.throws(() => registry.addConnector(memoryDatabase({ name: 'two' })), { code: 'SVC_ORM_LATE_CONNECTOR' })
  await t.rejects(
    registry.transaction(async () => 1, 'two'),
    { code: 'SVC_ORM_UNKNOWN_CONNECTOR' }
  )
  await t.rejects(
    registryOf().transaction(async () => 1),
    { code: 'SVC_ORM_UNKNOWN_CONNECTOR', message: /known: none/ }
  )
})

t.test('entities without a connector, and classes without a reader, stop the boot together', async (t) => {
  const problems = problemsOf(registryOf(memoryDatabase({ name: 'main' })), [
    declared(Note, 'mian'),
    declared(Model),
    declared({ ...Log, nope: 1 } as EntitySource)
  ])
  t.match(problems, [
    {
      code: 'SVC_ENTITY_CONNECTOR',
      message: 'Note names connector mian, which is not registered',
      at: 'a.ts:1',
      fix: 'rename mian to main'
    },
    { code: 'SVC_ENTITY_NATIVE', message: 'Model: connector main (memory) does not support classes' },
    { code: 'SVC_ENTITY_INVALID' }
  ])
  t.match(problemsOf(registryOf(), [declared(Note)]), [
    { code: 'SVC_ENTITY_CONNECTOR', message: 'no connector is registered for Note' }
  ])
  t.match(problemsOf(registryOf(), [declared(Note, 'x')]), [{ expected: 'no connector is registered' }])
  t.strictSame(problemsOf(registryOf(), []), [])
})

t.test('an entity that is not there, as files import each other, is told with its place', async (t) => {
  const absent = [undefined, null, 'Note'].map((source) => declared(source as unknown as EntitySource))
  t.match(problemsOf(registryOf(memoryDatabase({ name: 'main' })), [declared(Note), ...absent]), [
    { code: 'SVC_ENTITY_INVALID', message: 'an entity is undefined', at: 'a.ts:1', fix: /import each other/ },
    { code: 'SVC_ENTITY_INVALID', message: 'an entity is null' },
    { code: 'SVC_ENTITY_INVALID', message: 'an entity is Note' }
  ])
})

t.test('a driver reads classes of its own; what it throws is a problem', async (t) => {
  const reading = Object.assign(memoryDatabase({ name: 'main' }), { describeNative: () => Note })
  const registry = registryOf(reading)
  registry.open([declared(Model)])
  t.strictSame(
    registry.entities().map(({ name, place }) => [name, place]),
    [['Note', 'a.ts:1']]
  )
  const failing = Object.assign(memoryDatabase(), {
    describeNative: () => {
      throw new Error('no model')
    }
  })
  t.match(problemsOf(registryOf(failing), [declared(Model)]), [
    { code: 'SVC_ENTITY_NATIVE', message: 'Model: no model' }
  ])
})
