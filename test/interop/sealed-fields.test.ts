/**
 * Sealed fields on every database: what the database holds is no text of the application, what rows have is what was
 * given, equal values are found and refused where they are to be unique, a former key opens, and a field that had rows
 * before is sealed by one call. The oracle looks at the stored columns through the storage port, and seals nothing itself.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import svcDocdb from 'svc-docdb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import svcOrm, { type AnyRow, defineEntity, type EntityDefinition } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/shop.ts'

const KEY = randomBytes(32).toString('base64')
const NEXT = randomBytes(32).toString('base64')

const Patient = defineEntity({
  name: 'Patient',
  schema: {
    name: { type: 'string' },
    email: { type: 'email', unique: true, sealed: 'searchable' },
    diagnosis: { type: 'text', nullable: true, sealed: true, maxLength: 40, check: { minLength: 3 } },
    balance: { type: 'decimal', scale: 2, nullable: true, sealed: true },
    born: { type: 'date', nullable: true, sealed: 'searchable' },
    photo: { type: 'bytes', nullable: true, sealed: true },
    findings: { type: 'json', nullable: true, sealed: true },
    marks: { type: 'integer', array: true, nullable: true, sealed: true }
  },
  relations: { visits: { type: 'one-to-many', target: 'Visit', mappedBy: 'patient' } },
  version: true
})
const Visit = defineEntity({
  name: 'Visit',
  schema: { reason: { type: 'string' } },
  relations: { patient: { type: 'many-to-one', target: 'Patient' } }
})

const ADA = {
  name: 'Ada',
  email: 'ada@example.org',
  diagnosis: 'a cough',
  balance: '12.30',
  born: new Date('1980-05-06T00:00:00Z'),
  photo: new Uint8Array([0, 255, 7]),
  findings: { pulse: [61, null], note: 'gcm1.' },
  marks: [3, 1]
}

/** A database that outlives the application: what registers its driver. */
type Driver = (fastify: FastifyInstance) => Promise<void>

const sql =
  (url: string): Driver =>
  async (fastify) => {
    await fastify.register(svcSqlorm, { connectors: { default: { url } } })
  }

const ENGINES: Readonly<Record<string, (t: Test) => Promise<Driver>>> = {
  SQLite: async (t) => sql(`sqlite:${join(await temporaryFolder(t), 'app.db')}`),
  PostgreSQL: async (t) => {
    const server = await PostgresServer.start(postgresPrograms() ?? '')
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    return sql(server.url('postgres'))
  },
  documents: async (t) => {
    const engine = await startDocumentEngine()
    t.teardown(() => engine.close())
    return async (fastify) => {
      await fastify.register(svcDocdb, { connectors: { svc: { uri: engine.uri, database: 'app' } } })
    }
  }
}

async function openWith(
  t: Test,
  driver: Driver,
  entities: readonly EntityDefinition[],
  encryptionKey?: string | string[]
): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { ...(encryptionKey !== undefined && { encryptionKey }), parts: { entities } })
  await driver(fastify)
  await fastify.ready()
  return fastify
}

const SEALED = ['email', 'emailHash', 'diagnosis', 'balance', 'born', 'bornHash', 'photo', 'findings', 'marks']

/** The table as one of somebody else's: what its columns hold. */
async function storedRows(t: Test, driver: Driver, name: string): Promise<AnyRow[]> {
  const text = { type: 'string', nullable: true } as const
  const schema = Object.fromEntries(SEALED.map((column) => [column, text]))
  const fastify = await openWith(t, driver, [{ name: 'Stored', existing: { name }, schema }])
  const rows = await fastify.orm.repository('Stored').find()
  await fastify.close()
  return rows
}

for (const [engine, start] of Object.entries(ENGINES)) {
  const skip = engine === 'PostgreSQL' && postgresPrograms() === null ? 'PostgreSQL is not installed' : false
  t.test(engine, { skip }, async (t) => {
    const table = engine === 'documents' ? 'Patient' : 'patient'
    await onDatabase(t, () => start(t), table)
  })
}

async function onDatabase(t: Test, start: () => Promise<Driver>, table: string): Promise<void> {
  let driver: Driver
  t.beforeEach(async () => {
    driver = await start()
  })
  const open = (t: Test, keys: string | string[], entities: readonly EntityDefinition[]) =>
    openWith(t, driver, entities, keys)
  const stored = (t: Test) => storedRows(t, driver, table)

  t.test('rows have what was given, and the database has boxes', async (t) => {
    const fastify = await open(t, KEY, [Patient, Visit])
    const patients = fastify.orm.repository(Patient)
    const created = await patients.create(ADA)
    t.match(created, { email: ADA.email, diagnosis: ADA.diagnosis, balance: '12.30', marks: [3, 1] })
    t.notOk('emailHash' in created)
    const [found] = await patients.find({ email: 'ada@example.org' })
    t.strictSame(found, created, 'read as it was created')
    t.strictSame(Buffer.from(found?.photo ?? []), Buffer.from(ADA.photo))
    t.strictSame(found?.born, ADA.born)
    const [row] = await stored(t)
    for (const name of SEALED) {
      const text = String(row?.[name])
      if (name.endsWith('Hash')) t.match(text, /^[\w-]{43}$/, name)
      else t.match(text, /^gcm1\.[\w-]+$/, name)
    }
    const bob = await patients.create({ ...ADA, name: 'Bob', email: 'bob@example.org' })
    const [first, second] = await stored(t)
    t.not(first?.diagnosis, second?.diagnosis, 'equal values differ')
    t.equal(first?.bornHash, second?.bornHash, 'but where they are searchable')
    const changed = await patients.updateOne({ id: bob.id }, { diagnosis: null, balance: 5, version: 1 })
    t.match(changed, { diagnosis: null, balance: '5.00', version: 2, email: 'bob@example.org' })
    t.equal(await patients.count({ diagnosis: null }), 1)
    t.equal(await patients.count({ diagnosis: { $ne: null } }), 1)
  })

  t.test('equal values are found, through relations too, and refused where they are unique', async (t) => {
    const fastify = await open(t, KEY, [Patient, Visit])
    const patients = fastify.orm.repository(Patient)
    const [ada, bob] = await patients.createMany([ADA, { name: 'Bob', email: 'bob@example.org' }])
    const visits = fastify.orm.repository(Visit)
    await visits.createMany([
      { reason: 'cold', patientId: ada?.id ?? '' },
      { reason: 'hot', patientId: bob?.id ?? '' }
    ])
    const names = async (criteria: object) =>
      (await patients.find(criteria, { order: [['name', 'ASC']] })).map(({ name }) => name)
    t.strictSame(await names({ email: { $in: ['bob@example.org', 'eve@example.org'] } }), ['Bob'])
    t.strictSame(await names({ email: { $ne: 'bob@example.org' } }), ['Ada'])
    t.strictSame(await names({ born: { $ne: ADA.born } }), ['Bob'], 'null is another value')
    t.strictSame(await names({ born: [ADA.born, null] }), ['Ada', 'Bob'])
    t.strictSame(await names({ $or: [{ email: ADA.email }, { name: 'Bob' }] }), ['Ada', 'Bob'])
    t.strictSame(await names({ $not: { email: ADA.email } }), ['Bob'])
    const ofAda = { relation: 'visits', where: { patient: { email: ADA.email } } } as const
    const counted = await patients.find({}, { counts: { visits: true, ofAda } })
    t.strictSame(counted.map(({ name, counts }) => [name, counts.visits, counts.ofAda]).sort(), [
      ['Ada', 1, 1],
      ['Bob', 1, 0]
    ])
    t.strictSame(
      (await visits.find({ 'patient.email': ADA.email }, { include: { patient: true } })).map(
        (visit) => visit.patient?.email
      ),
      [ADA.email]
    )
    const twin = { name: 'Twin', email: ADA.email }
    const fields = { code: 'SVC_ORM_UNIQUE', statusCode: 409, fields: ['email'] }
    await t.rejects(patients.create(twin), fields)
    await t.rejects(patients.updateOne({ name: 'Bob' }, { email: ADA.email }), fields)
    t.equal((await patients.upsert({ email: ADA.email }, { name: 'Other' })).name, 'Ada')
    t.equal((await patients.upsert({ email: 'eve@example.org' }, { name: 'Eve' })).name, 'Eve')
    for (const diagnosis of ['a cold', ADA.diagnosis]) {
      const changed = await patients.upsert({ email: ADA.email }, { name: 'Ada', diagnosis }, { update: true })
      t.match(changed, { name: 'Ada', diagnosis })
      t.match(await patients.findOne({ email: ADA.email }), { name: 'Ada', diagnosis })
    }
    await t.rejects(
      patients.upsert({ email: 'eve@example.org' }, { name: 'Eve' }, { update: { email: ADA.email } }),
      fields
    )
    const values = { code: 'SVC_ORM_VALUE' }
    await t.rejects(patients.updateMany({}, { balance: { $add: 1 } } as never), values)
    const options = { code: 'SVC_ORM_OPTIONS' }
    await t.rejects(patients.groupBy({}, { by: [{ month: 'born' } as never] }), options)
    await t.rejects(patients.aggregate({}, { x: { countDistinct: 'diagnosis' } as never }), options)
    const asked = { count: true, where: { email: ADA.email } } as never
    t.match(await patients.aggregate({}, { ada: asked }), { ada: 1 })
  })

  t.test('nothing else can be asked of a box', async (t) => {
    const fastify = await open(t, KEY, [Patient, Visit])
    const patients = fastify.orm.repository<AnyRow>('Patient')
    await patients.create(ADA)
    for (const criteria of [
      { diagnosis: 'a cough' },
      { diagnosis: { $like: 'a%' } },
      { email: { $contains: 'ada' } },
      { born: { $gt: new Date(0) } },
      { balance: { $gte: 1 } },
      { $or: [{ name: 'Ada' }, { diagnosis: { $startsWith: 'a' } }] },
      { $not: { balance: { $in: ['12.30'] } } }
    ]) {
      await t.rejects(patients.find(criteria), { code: 'SVC_ORM_CRITERIA', statusCode: 400 }, JSON.stringify(criteria))
    }
    for (const name of ['diagnosis', 'email', 'balance']) {
      await t.rejects(patients.find({}, { order: [[name, 'ASC']] }), { code: 'SVC_ORM_OPTIONS' }, `order ${name}`)
      await t.rejects(patients.groupBy({}, { by: [name] }), { code: 'SVC_ORM_OPTIONS' }, `group by ${name}`)
      await t.rejects(patients.distinct(name), { code: 'SVC_ORM_OPTIONS' }, `distinct ${name}`)
    }
    await t.rejects(patients.aggregate({}, { sum: { sum: 'balance' } }), { code: 'SVC_ORM_OPTIONS' })
    await t.rejects(patients.increment({ name: 'Ada' }, 'balance', 1), { code: 'SVC_ORM_VALUE' })
    await t.rejects(patients.updateMany({}, { $max: { balance: 1 } }), { code: 'SVC_ORM_VALUE' })
    await t.rejects(
      patients.create({ ...ADA, email: 'x@example.org', diagnosis: 'no' }),
      { code: 'SVC_ORM_VALUE' },
      'rules hold'
    )
    await t.rejects(patients.create({ ...ADA, email: 'no address' }), { code: 'SVC_ORM_VALUE' })
  })

  t.test('a new key takes over: former rows are found, kept unique, and sealed again', async (t) => {
    const fastify = await open(t, KEY, [Patient, Visit])
    await fastify.orm.repository(Patient).createMany([ADA, { name: 'Bob', email: 'bob@example.org' }])
    const before = await stored(t)
    await fastify.close()

    const both = await open(t, [NEXT, KEY], [Patient, Visit])
    const patients = both.orm.repository(Patient)
    t.match(await patients.findOne({ email: ADA.email }), { diagnosis: 'a cough', findings: ADA.findings })
    await t.rejects(patients.create({ name: 'Twin', email: ADA.email }), { code: 'SVC_ORM_UNIQUE' })
    t.equal((await patients.upsert({ email: ADA.email }, { name: 'Other' })).name, 'Ada')
    t.equal((await patients.upsert({ email: ADA.email }, { name: 'x' }, { update: { name: 'Ada L.' } })).name, 'Ada L.')
    const done = await both.orm.seal()
    t.strictSame(
      done.filter(({ sealed }) => sealed > 0).map(({ field, sealed }) => `${field} ${sealed}`),
      ['email 2', 'diagnosis 1', 'balance 1', 'born 1', 'photo 1', 'findings 1', 'marks 1']
    )
    t.ok(done.every(({ unreadable, duplicates }) => unreadable + duplicates === 0))
    t.ok(
      (await both.orm.seal()).every(({ sealed }) => sealed === 0),
      'once'
    )
    const after = await stored(t)
    for (const name of SEALED) t.not(after[0]?.[name], before[0]?.[name], name)
    await both.close()

    const only = await open(t, NEXT, [Patient, Visit])
    t.match(await only.orm.repository(Patient).findOne({ born: ADA.born }), { name: 'Ada', balance: '12.30' })
    await only.close()

    const neither = await open(t, randomBytes(32).toString('base64'), [Patient, Visit])
    await t.rejects(neither.orm.repository(Patient).find({}), { code: 'SVC_KERNEL_SECRET_BOX' })
    t.equal((await neither.orm.seal()).find(({ field }) => field === 'email')?.unreadable, 2, 'and left as they are')
  })

  t.test('a field that has rows is sealed by one call, and not searched before', async (t) => {
    const schema = { ...Patient.schema, email: { type: 'email' }, diagnosis: { type: 'text', nullable: true } } as const
    const fastify = await open(t, KEY, [{ ...Patient, schema }, Visit])
    await fastify.orm.repository<AnyRow>('Patient').createMany([ADA, { name: 'Bob', email: 'bob@example.org' }])
    await fastify.close()

    const sealed = await open(t, KEY, [Patient, Visit])
    const patients = sealed.orm.repository(Patient)
    t.match(await patients.findOne({ name: 'Ada' }), { email: ADA.email, diagnosis: 'a cough' }, 'read as it was')
    await t.rejects(patients.findOne({ email: ADA.email }), { code: 'SVC_ORM_UNSEALED', statusCode: 503 })
    await patients.create({ name: 'Eve', email: 'eve@example.org' })
    const done = await sealed.orm.seal()
    t.strictSame(
      done.filter(({ sealed }) => sealed > 0).map(({ field, sealed }) => `${field} ${sealed}`),
      ['email 2', 'diagnosis 1']
    )
    t.equal((await patients.findOne({ email: ADA.email }))?.name, 'Ada')
    t.match((await stored(t))[0]?.email, /^gcm1\./)
  })
}

t.test('a definition that a box cannot keep, and a missing or broken key, end the boot', async (t) => {
  const boot = async (entities: readonly EntityDefinition[], encryptionKey?: string) => {
    const fastify = Fastify()
    await fastify.register(svcOrm, { memory: true, ...(encryptionKey && { encryptionKey }), parts: { entities } })
    await fastify.ready()
    await fastify.close()
  }
  const field = (given: object) => [
    defineEntity({ name: 'Thing', schema: { it: { type: 'string', ...given } } } as EntityDefinition)
  ]
  await t.rejects(boot(field({ sealed: true })), { problems: [{ code: 'SVC_ORM_SEALING_KEY_MISSING' }] } as never)
  await t.rejects(boot(field({ sealed: true }), 'c2hvcnQ='), { problems: [{ code: 'SVC_ORM_SEALING_KEY' }] } as never)
  for (const given of [
    { sealed: true, unique: true },
    { sealed: true, default: 'x' },
    { sealed: 'searchable', array: true },
    { sealed: 'searchable', type: 'json' }
  ]) {
    await t.rejects(
      boot(field(given), KEY),
      { problems: [{ code: 'SVC_ENTITY_FIELD' }] } as never,
      JSON.stringify(given)
    )
  }
  const clash = { it: { type: 'string', sealed: 'searchable' }, itHash: { type: 'string' } } as const
  await t.rejects(boot([defineEntity({ name: 'Thing', schema: clash })], KEY), {
    problems: [{ code: 'SVC_ENTITY_NAME' }]
  } as never)
})
