/** Users in an entity of the application: what is read, and what the boot refuses. With real databases: test/interop. */
import Fastify from 'fastify'
import t from 'tap'
import svcSecurity, { type SvcSecurityOptions, type SvcSecurityParts } from '../../src/index.ts'
import { hashPassword, readPhc } from '../../src/password-hashes/argon2id.ts'
import { ALICE_PASSWORD, CHEAP } from '../support/accounts.ts'
import { INFO, logLines, WARN } from '../support/log-lines.ts'
import { Browser } from '../support/login-app.ts'

type Row = Record<string, unknown>

const at = 'svc-security.users.entity'

interface FieldShape {
  type: string
  array?: boolean
  unique?: boolean
}

const fields: Record<string, FieldShape> = {
  email: { type: 'string', unique: true },
  secret: { type: 'text' },
  groups: { type: 'string', array: true },
  active: { type: 'boolean' },
  blocked: { type: 'boolean' },
  nick: { type: 'string' },
  born: { type: 'date' }
}

/** No replica answers who may act. */
const onPrimary = (rows: object) => ({ primary: () => rows })

/** The shape of svc-orm's port, with one entity on one connector. */
function ormOf(rows: Row[], asked: Row[] = [], more: Record<string, FieldShape> = {}) {
  const entity = {
    name: 'Account',
    fields: new Map(
      Object.entries({ ...fields, ...more }).map(([name, { type, array = false }]) => [name, { type, array }])
    ),
    indexes: [
      { fields: ['email'], unique: true },
      { fields: ['nick', 'born'], unique: true },
      { fields: ['nick'], unique: false }
    ]
  }
  const matching = (criteria: Row) => {
    asked.push(criteria)
    return rows.filter((row) => Object.entries(criteria).every(([name, value]) => row[name] === value))
  }
  return {
    entities: () => [entity],
    repository(name: string, connector = 'default') {
      if (connector !== 'default') throw new Error(`no connector named "${connector}"; known: default`)
      if (name !== entity.name) throw new Error(`no entity model registered under ${name}`)
      return onPrimary({
        findOne: async (criteria: Row, options?: object) => {
          t.strictSame(options, { cache: 'refresh' }, 'who may act is read anew')
          return matching(criteria)[0] ?? null
        },
        updateMany: async (criteria: Row, changes: Row) =>
          matching(criteria).map((row) => Object.assign(row, changes)).length
      })
    }
  }
}

const entity = { name: 'Account', identifier: 'email', password: 'secret' }

async function booted(users: SvcSecurityOptions['users'], orm: object | null, more: object = {}) {
  const { parts, logger, ...options } = more as {
    parts?: SvcSecurityParts
    logger?: object
  }
  const app = Fastify(logger === undefined ? {} : { logger })
  t.teardown(() => app.close())
  if (orm !== null) app.decorate('orm' as never, orm as never)
  await app.register(svcSecurity, {
    areas: { in: { pattern: '^/in', authenticators: ['session'] } },
    passwords: CHEAP,
    ...options,
    ...(users === undefined ? {} : { users }),
    ...(parts === undefined ? {} : { parts })
  })
  await app.ready()
  return app
}

async function someone(more: Row = {}): Promise<Row> {
  return {
    id: '7',
    email: 'ada@x.example',
    secret: await hashPassword(ALICE_PASSWORD, CHEAP),
    ...more
  }
}

t.test('a user of the entity logs in; without a field for roles everyone has ROLE_USER', async (t) => {
  const app = await booted({ entity }, ormOf([await someone()]))
  const login = await new Browser(app).login('ada@x.example')
  t.strictSame(login.json(), {
    user: { identifier: 'ada@x.example', roles: ['ROLE_USER'] }
  })
  t.equal((await new Browser(app).login('ada@x.example', 'wrong')).statusCode, 401)
  t.equal((await new Browser(app).login('ADA@x.example')).statusCode, 401)
  t.equal(app.userAccounts.driver, 'application')
})

t.test('roles, the switch and the lock are fields', async (t) => {
  const row = await someone({
    groups: ['ROLE_EDITOR', 7],
    active: true,
    blocked: false
  })
  const named = {
    ...entity,
    roles: 'groups',
    enabled: 'active',
    locked: 'blocked'
  }
  const app = await booted({ entity: named }, ormOf([row]), { rateLimit: { freeAttempts: 100 } })
  const view = {
    id: '7',
    identifier: 'ada@x.example',
    roles: ['ROLE_EDITOR'],
    enabled: true,
    locked: false
  }
  t.strictSame(await app.userAccounts.find('ada@x.example'), view)
  for (const change of [{ active: false }, { active: null }, { active: true, blocked: true }, { blocked: null }]) {
    Object.assign(row, change)
    t.equal((await new Browser(app).login('ada@x.example')).statusCode, 401, JSON.stringify(change))
  }
  Object.assign(row, { active: true, blocked: false, groups: null })
  t.match((await new Browser(app).login('ada@x.example')).json(), {
    user: { roles: [] }
  })
})

const FLAG = { type: 'boolean' }

const flagged: ReadonlyArray<[row: Row, enabled: boolean, locked: boolean]> = [
  [{}, true, false],
  [{ enabled: true, active: true, locked: false, isLocked: false }, true, false],
  [{ enabled: false }, false, false],
  [{ active: false }, false, false],
  [{ enabled: true, active: false }, false, false],
  [{ enabled: null }, false, false],
  [{ locked: true }, true, true],
  [{ isLocked: true }, true, true],
  [{ locked: false, isLocked: true }, true, true],
  [{ isLocked: null }, true, true]
]

for (const [more, enabled, locked] of flagged) {
  t.test(`C21: fields of the names of flags are read without being listed: ${JSON.stringify(more)}`, async (t) => {
    const orm = ormOf([await someone(more)], [], { enabled: FLAG, locked: FLAG, isLocked: FLAG })
    const app = await booted({ entity }, orm)
    t.match(await app.userAccounts.find('ada@x.example'), { enabled, locked })
    const login = await new Browser(app).login('ada@x.example')
    t.equal(login.statusCode, enabled && !locked ? 200 : 401)
  })
}

t.test('C21: a field that the options name takes the place of the others', async (t) => {
  const orm = ormOf([await someone({ enabled: false, active: true })], [], { enabled: FLAG })
  const app = await booted({ entity: { ...entity, enabled: 'active' } }, orm)
  t.match(await app.userAccounts.find('ada@x.example'), { enabled: true })
})

t.test('C21: one of these names that is no flag is refused, until the options name the field that is', async (t) => {
  const orm = () => ormOf([], [], { enabled: FLAG, locked: { type: 'date' } })
  const error = await booted({ entity }, orm()).catch((error: unknown) => error)
  t.match(error, {
    problems: [{ code: 'SVC_SEC_USERS_ENTITY', at: `${at}.locked`, got: 'date', fix: /users\.entity\.locked/ }]
  })
  await booted({ entity: { ...entity, locked: 'blocked' } }, orm())
})

t.test('one who is locked is out at once', async (t) => {
  const row = await someone({ blocked: false })
  const app = await booted({ entity: { ...entity, locked: 'blocked' } }, ormOf([row]))
  const browser = new Browser(app)
  await browser.login('ada@x.example')
  t.equal((await browser.call('GET', '/svc/security/api/auth/me')).statusCode, 200)
  row.blocked = true
  t.equal((await browser.call('GET', '/svc/security/api/auth/me')).statusCode, 401)
})

t.test('a hash of a lower cost is renewed, unless it changed meanwhile', async (t) => {
  const row = await someone()
  const asked: Row[] = []
  const app = await booted({ entity }, ormOf([row], asked), {
    passwords: { ...CHEAP, memoryKib: 8192 }
  })
  const before = row.secret
  t.equal((await new Browser(app).login('ada@x.example')).statusCode, 200)
  t.match(readPhc(String(row.secret)), { memoryKib: 8192 })
  t.strictSame(asked, [{ email: 'ada@x.example' }, { id: '7', secret: before }], 'compare and set')
})

t.test('a row of another name is no user', async (t) => {
  const row = await someone()
  const orm = {
    ...ormOf([]),
    repository: () => onPrimary({ findOne: async () => row })
  }
  const app = await booted({ entity }, orm)
  t.equal(await app.userAccounts.find('ADA@x.example'), null)
  t.match(await app.userAccounts.find('ada@x.example'), {
    identifier: 'ada@x.example'
  })
})

t.test('a database that fails is 503', async (t) => {
  const down = {
    ...ormOf([]),
    repository: () => onPrimary({ findOne: () => Promise.reject(new Error('down')) })
  }
  const app = await booted({ entity }, down)
  t.equal((await new Browser(app).login('ada@x.example')).statusCode, 503)
})

const refused: Array<[title: string, users: object, problem: object]> = [
  ['an unknown entity', { name: 'Acount' }, { at: `${at}.name`, got: '"Acount"', fix: 'write Account' }],
  [
    'an unknown connector',
    { connector: 'other' },
    {
      at: `${at}.name`,
      message: /no connector named "other"/,
      fix: /name its connector/
    }
  ],
  ['an unknown field', { identifier: 'emial' }, { at: `${at}.identifier`, got: 'no such field', fix: 'write email' }],
  ['a name that is not unique', { identifier: 'nick' }, { at: `${at}.identifier`, fix: /unique: true/ }],
  ['a moment as password', { password: 'born' }, { at: `${at}.password`, got: 'date', expected: /string or text/ }],
  ['a list as password', { password: 'groups' }, { at: `${at}.password`, got: 'string, a list' }],
  ['roles that are no list', { roles: 'nick' }, { at: `${at}.roles`, got: 'string', expected: /array: true/ }],
  ['a text as switch', { enabled: 'nick' }, { at: `${at}.enabled`, expected: /boolean/ }],
  ['a moment as lock', { locked: 'born' }, { at: `${at}.locked`, got: 'date' }]
]
for (const [title, given, problem] of refused) {
  t.test(`the boot refuses ${title}`, async (t) => {
    const error = await booted({ entity: { ...entity, ...given } }, ormOf([])).catch((error: unknown) => error)
    t.match(error, {
      problems: [
        {
          code: 'SVC_SEC_USERS_ENTITY',
          more: 'npx svc docs accounts',
          ...problem
        }
      ]
    })
  })
}

t.test('all faults of the fields are one report', async (t) => {
  const given = { ...entity, identifier: 'x', password: 'y', roles: 'z' }
  const error = await booted({ entity: given }, ormOf([])).catch((error: unknown) => error)
  t.equal((error as { problems: unknown[] }).problems.length, 3)
})

t.test('the boot refuses an entity without svc-orm', async (t) => {
  const error = await booted({ entity }, null).catch((error: unknown) => error)
  t.match(error, {
    problems: [{ code: 'SVC_SEC_USERS_ENTITY', at, fix: /before svc-security/ }]
  })
})

t.test('users of an entity carry no accounts of providers', async (t) => {
  const provider = { issuer: 'http://127.0.0.1:1', clientId: 'x' }
  const oauth2 = { publicUrl: 'https://x.example', providers: { x: provider } }
  const error = await booted({ entity }, ormOf([]), { oauth2 }).catch((error: unknown) => error)
  t.match(error, { problems: [{ code: 'SVC_SEC_OAUTH_USERS', at }] })
})

t.test('a store beside the entity has no effect, and the boot says so', async (t) => {
  const { lines, logger } = logLines()
  await booted({ entity, store: 'memory' }, ormOf([]), { logger })
  const warned = lines.filter(({ level, code }) => Number(level) > INFO && code === 'SVC_SEC_SECTION_UNUSED')
  t.match(warned, [{ level: WARN, at: 'svc-security.users.store' }])
  t.equal(warned.length, 1)
})
