/** The gate opens for `true` alone: everything else an engine may do is a refusal. */
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { type AccessEngine, AccessGate } from '../../src/access/access-gate.ts'
import type { Requirement } from '../../src/access/requirement.ts'
import { type AccessToken, createAccessToken } from '../../src/identity/identity.ts'

const token = createAccessToken({ type: 'test', user: { identifier: 'ada' } })
const requirement: Requirement = [[{ attribute: 'ROLE_A' }]]

const saying = (answer: unknown): AccessEngine => ({ allows: () => answer as boolean })
const thenable = (then: (done: (answer: boolean) => void) => void): AccessEngine =>
  saying(Object.fromEntries([['then', then]]))
const throwing = (thrown: unknown): AccessEngine => ({
  allows: () => {
    throw thrown
  }
})

type Row = [
  title: string,
  engine: AccessEngine | null,
  token: AccessToken | null | undefined,
  requirement: Requirement,
  open: boolean,
  logged: number
]

const rows: readonly Row[] = [
  ['no engine', null, token, requirement, false, 0],
  ['no token', saying(true), null, requirement, false, 0],
  ['an undefined token', saying(true), undefined, requirement, false, 0],
  ['an empty requirement', saying(true), token, [], false, 0],
  ['granted', saying(true), token, requirement, true, 0],
  ['granted later', saying(Promise.resolve(true)), token, requirement, true, 0],
  ['refused', saying(false), token, requirement, false, 0],
  ['refused later', saying(Promise.resolve(false)), token, requirement, false, 0],
  ['truthy: 1', saying(1), token, requirement, false, 0],
  ['truthy: text', saying('GRANT'), token, requirement, false, 0],
  ['truthy: an object', saying({}), token, requirement, false, 0],
  ['truthy later', saying(Promise.resolve('true')), token, requirement, false, 0],
  ['undefined', saying(undefined), token, requirement, false, 0],
  ['null', saying(null), token, requirement, false, 0],
  [
    'a thenable that grants, then refuses',
    thenable((done) => {
      done(false)
      done(true)
    }),
    token,
    requirement,
    false,
    0
  ],
  [
    'a thenable that throws',
    thenable(() => {
      throw new Error('trap')
    }),
    token,
    requirement,
    false,
    1
  ],
  ['throws', throwing(new Error('broken')), token, requirement, false, 1],
  ['throws undefined', throwing(undefined), token, requirement, false, 1],
  ['rejects', { allows: () => Promise.reject(new Error('broken')) }, token, requirement, false, 1],
  ['rejects with undefined', { allows: () => Promise.reject(undefined) }, token, requirement, false, 1]
]

for (const [title, engine, given, asked, open, logged] of rows) {
  t.test(title, async (t) => {
    const gate = new AccessGate()
    if (engine !== null) gate.use(engine)
    let errors = 0
    const request = {
      log: {
        error: () => {
          errors += 1
        }
      }
    } as unknown as FastifyRequest
    const check = async (): Promise<void> => gate.check(given as AccessToken | null, asked, request)
    if (open) await t.resolves(check())
    else await t.rejects(check(), { code: 'SVC_SEC_DENIED', statusCode: 403, message: 'access denied' })
    t.equal(errors, logged)
    t.equal(await gate.judge(given as AccessToken | null, asked, request), open)
  })
}

t.test('an error of the engine is what the caller is answered', async (t) => {
  const due = new Error('prove more')
  for (const answer of [due, Promise.resolve(due)]) {
    const gate = new AccessGate()
    gate.use(saying(answer))
    await t.rejects(async () => gate.check(token, requirement, {} as FastifyRequest), due)
    t.equal(await gate.judge(token, requirement, {} as FastifyRequest), false)
  }
})

t.test('a synchronous engine is answered synchronously', async (t) => {
  const gate = new AccessGate()
  t.equal(gate.ready, false)
  gate.use(saying(true))
  t.equal(gate.ready, true)
  t.equal(gate.check(token, requirement, {} as FastifyRequest), undefined)
})

t.test('the engine is told the token, the requirement and the request', async (t) => {
  const gate = new AccessGate()
  const told: unknown[] = []
  gate.use({
    allows: (...given) => {
      told.push(...given)
      return true
    }
  })
  const request = {} as FastifyRequest
  await gate.check(token, requirement, request)
  t.ok(told[0] === token && told[1] === requirement && told[2] === request && told.length === 3)
})

t.test('the last engine decides alone', async (t) => {
  const gate = new AccessGate()
  gate.use(saying(true))
  gate.use(saying(false))
  t.throws(() => gate.check(token, requirement, {} as FastifyRequest), { message: 'access denied' })
})
