/** Name and password: one error for every cause, the same work for each, hashes renewed. */
import crypto from 'node:crypto'
import Fastify from 'fastify'
import { systemClock } from 'svc-kernel'
import t from 'tap'
import { hashPassword, readPhc } from '../../src/password-hashes/argon2id.ts'
import { WorkQueue } from '../../src/promises/work-queue.ts'
import { PasswordVerifier } from '../../src/users/passwords.ts'
import { ProvidedUsers } from '../../src/users/user-source.ts'
import { Accounts, ALICE_PASSWORD, CHEAP, someAccounts } from '../support/accounts.ts'
import { logLines } from '../support/log-lines.ts'

const rules = { minLength: 8, words: [], breached: [], check: undefined, clock: systemClock }
const bounds = { rules, atOnce: 2, maxWaiting: 100 }

async function verifying(accounts: Accounts, cost = CHEAP) {
  const { lines, logger } = logLines()
  const { log } = Fastify({ logger })
  return { lines, verifier: new PasswordVerifier(new ProvidedUsers(accounts, null as never), { cost, ...bounds }, log) }
}

t.test('the right password', async (t) => {
  const { verifier } = await verifying(await someAccounts())
  t.match(await verifier.verify('alice', ALICE_PASSWORD), { identifier: 'alice', roles: ['ROLE_USER'] })
})

const causes: Array<[identifier: string, password: string, reason: string]> = [
  ['nobody', ALICE_PASSWORD, 'unknown_user'],
  ['alice', 'wrong', 'wrong_password'],
  ['alice', '', 'wrong_password'],
  ['alice', ALICE_PASSWORD.toUpperCase(), 'wrong_password'],
  ['alice', `${ALICE_PASSWORD} `, 'wrong_password'],
  ['alice', 'x'.repeat(5000), 'wrong_password'],
  ['bob', ALICE_PASSWORD, 'locked'],
  ['bob', 'wrong', 'wrong_password'],
  ['carol', ALICE_PASSWORD, 'disabled'],
  ['dave', '', 'no_password'],
  ['dave', ALICE_PASSWORD, 'no_password'],
  ['ALICE', ALICE_PASSWORD, 'unknown_user'],
  ['__proto__', ALICE_PASSWORD, 'unknown_user']
]
for (const [identifier, password, reason] of causes) {
  t.test(`${identifier} with "${password.slice(0, 20)}": ${reason}`, async (t) => {
    const accounts = await someAccounts()
    const { verifier } = await verifying(accounts)
    await t.rejects(verifier.verify(identifier, password), {
      statusCode: 401,
      code: 'SVC_SEC_CREDENTIALS',
      message: 'INVALID_CREDENTIALS',
      reason
    })
    t.equal(accounts.lookups, 1, 'one look-up, whatever the cause')
  })
}

t.test('names and passwords are compared in one Unicode form; bytes beyond 72 count', async (t) => {
  const accounts = new Accounts()
    .add({
      identifier: 'zoe\u0301'.normalize('NFC'),
      roles: [],
      password: await hashPassword('pa\u0308ss\u00a0word', CHEAP)
    })
    .add({ identifier: 'long', roles: [], password: await hashPassword(`${'x'.repeat(72)}a`, CHEAP) })
  const { verifier } = await verifying(accounts)
  t.ok(await verifier.verify('zoe\u0301', 'p\u00e4ss word'))
  await t.rejects(verifier.verify('long', `${'x'.repeat(72)}b`))
  t.ok(await verifier.verify('long', `${'x'.repeat(72)}a`))
})

t.test('a hash of a lower cost is renewed, once', async (t) => {
  const accounts = await someAccounts()
  const renewed: string[] = []
  const users = {
    findByIdentifier: (identifier: string) => accounts.findByIdentifier(identifier),
    replacePassword: async (id: string, expected: string | null, next: string) => {
      t.equal(accounts.get(id).password, expected)
      renewed.push(next)
      accounts.get(id).password = next
      return true
    }
  }
  const { log } = Fastify()
  const cost = { ...CHEAP, passes: 2 }
  const verifier = new PasswordVerifier(new ProvidedUsers(users, null as never), { cost, ...bounds }, log)
  await verifier.verify('alice', ALICE_PASSWORD)
  await verifier.verify('alice', ALICE_PASSWORD)
  t.equal(renewed.length, 1)
  t.match(readPhc(renewed[0] ?? ''), cost)
})

// By a foreign tool, see test/vectors/imported-hashes.json.
const DJANGO = 'pbkdf2_sha256$20000$H0dPx8NeajVu$GiC4k5kqbbR9qWBlsRgDywNqC2vd9kqfk7zdorEnNas='

t.test('a failed login does the work of an own and of an imported hash, whichever is stored', async (t) => {
  let decoyed = 0
  const decoy = { imported: true, isDue: () => true, matches: async () => ++decoyed < 0 }
  const accounts = (await someAccounts())
    .add({ identifier: 'django', roles: [], password: DJANGO })
    .add({ identifier: 'locked', roles: [], password: DJANGO, locked: true })
  const { log } = Fastify()
  const setting = { cost: CHEAP, decoy, ...bounds }
  const verifier = new PasswordVerifier(new ProvidedUsers(accounts, null as never), setting, log)
  let own = 0
  const derive = crypto.argon2
  crypto.argon2 = ((...given: Parameters<typeof derive>) => {
    own += 1
    return derive(...given)
  }) as typeof derive
  t.teardown(() => {
    crypto.argon2 = derive
  })
  const work: Array<[identifier: string, password: string, own: number, decoyed: number]> = [
    ['nobody', 'hashcat', 1, 1],
    ['dave', 'hashcat', 1, 1],
    ['alice', 'wrong', 1, 1],
    ['bob', ALICE_PASSWORD, 1, 1],
    ['carol', ALICE_PASSWORD, 1, 1],
    // An imported hash is computed itself, and takes the place of the decoy.
    ['django', 'wrong', 1, 0],
    ['locked', 'hashcat', 1, 0],
    ['alice', ALICE_PASSWORD, 1, 0],
    // The hash that replaces it.
    ['django', 'hashcat', 1, 0]
  ]
  for (const [identifier, password, ownWork, decoys] of work) {
    ;[own, decoyed] = [0, 0]
    await verifier.verify(identifier, password).catch(() => null)
    t.strictSame([own, decoyed], [ownWork, decoys], `${identifier} with ${password}`)
  }
})

t.test('an imported hash without its library refuses, and the log says what to install', async (t) => {
  const module = process.getBuiltinModule('node:module') as unknown as Record<string, unknown>
  const { _resolveFilename: resolve } = module
  module._resolveFilename = (name: string, ...rest: unknown[]) => {
    if (name === '@node-rs/bcrypt') throw Object.assign(new Error('no such package'), { code: 'MODULE_NOT_FOUND' })
    return (resolve as (...given: unknown[]) => unknown)(name, ...rest)
  }
  t.teardown(() => {
    module._resolveFilename = resolve
  })
  const hash = `$2b$04$${'a'.repeat(53)}`
  const { lines, verifier } = await verifying(new Accounts().add({ identifier: 'eve', roles: [], password: hash }))
  await t.rejects(verifier.verify('eve', 'secret'), { message: 'INVALID_CREDENTIALS', reason: 'no_password' })
  t.match(lines, [{ code: 'SVC_SEC_PASSWORD_HASH', error: { message: /@node-rs\/bcrypt/ } }])
  t.notMatch(JSON.stringify(lines), /\$2b/)
})

t.test('a login holds even when its hash cannot be renewed', async (t) => {
  const accounts = await someAccounts()
  const users = Object.assign(accounts, { replacePassword: () => Promise.reject(new Error('read only')) })
  const { lines, verifier } = await verifying(users, { ...CHEAP, passes: 2 })
  t.ok(await verifier.verify('alice', ALICE_PASSWORD))
  t.match(lines, [{ msg: 'the password hash was not renewed' }])
})

t.test('a stored text that is no hash refuses and is told', async (t) => {
  const accounts = new Accounts().add({ identifier: 'eve', roles: [], password: 'plain text' })
  const { lines, verifier } = await verifying(accounts)
  await t.rejects(verifier.verify('eve', 'plain text'), { message: 'INVALID_CREDENTIALS', reason: 'no_password' })
  t.match(lines, [{ code: 'SVC_SEC_PASSWORD_HASH' }])
  t.notMatch(JSON.stringify(lines), /plain text/)
})

t.test('a source that fails is no refusal', async (t) => {
  const accounts = await someAccounts()
  accounts.failure = new Error('down')
  const { verifier } = await verifying(accounts)
  await t.rejects(verifier.verify('alice', ALICE_PASSWORD), { message: 'down' })
})

t.test('more logins than may wait are turned away', async (t) => {
  const accounts = await someAccounts()
  const { log } = Fastify()
  const setting = { cost: CHEAP, rules, atOnce: 1, maxWaiting: 1 }
  const verifier = new PasswordVerifier(new ProvidedUsers(accounts, null as never), setting, log)
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => verifier.verify('alice', ALICE_PASSWORD)))
  const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason)
  t.equal(refusals.length, 8)
  t.match(refusals[0], { statusCode: 503, code: 'SVC_SEC_BUSY', headers: { 'retry-after': '1' } })
})

function job() {
  let finish = () => {}
  let started = false
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = () => {
    started = true
    return done
  }
  return { work, finish: () => finish(), started: () => started }
}

const full = () => new Error('full')

t.test('so much at a time, in order, the rest turned away', async (t) => {
  const queue = new WorkQueue({ atOnce: 1, maxWaiting: 1 }, full)
  const [first, second, third] = [job(), job(), job()]
  const one = queue.run(first.work)
  const two = queue.run(second.work)
  await t.rejects(queue.run(third.work), { message: 'full' })
  t.strictSame([first.started(), second.started(), third.started()], [true, false, false])
  first.finish()
  await one
  t.equal(second.started(), true)
  second.finish()
  await two
  await t.resolves(queue.run(async () => {}))
})

t.test('work that fails gives its place up', async (t) => {
  const queue = new WorkQueue({ atOnce: 1, maxWaiting: 0 }, full)
  await t.rejects(
    queue.run(async () => Promise.reject(new Error('broken'))),
    { message: 'broken' }
  )
  await t.rejects(
    queue.run(() => {
      throw new Error('at once')
    }),
    { message: 'at once' }
  )
  t.equal(await queue.run(async () => 'next'), 'next')
})

t.test('never more at a time than allowed', async (t) => {
  const queue = new WorkQueue({ atOnce: 3, maxWaiting: 100 }, full)
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 50 }, () =>
      queue.run(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
      })
    )
  )
  t.equal(most, 3)
})
