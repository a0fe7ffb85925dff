/** Explanations and the matrix know the proof: on random pairs of guard and caller they say what is answered. */
import { type AccessToken, createAccessToken, guardHooks } from 'svc-kernel'
import { accessExplainer, securityOf } from 'svc-kernel/explain'
import { listRoutes } from 'svc-kernel/plugin'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { matrixRows } from '../../src/explain/access-matrix.ts'
import type { AuthenticationContext, Authenticator } from '../../src/index.ts'
import { securedApp } from '../support/guarded-app.ts'

/** Reads `alice ROLE_A,ROLE_B <seconds since the proof or -> otp,pwd`, and believes it. */
class Claimed implements Authenticator<string> {
  readonly tokenType: string
  readonly carrier: 'authorization' | 'header'
  readonly subject: 'person' | 'machine'
  readonly stepUp?: true
  readonly #header: string
  readonly #clock: ManualClock

  constructor(tokenType: string, header: string, clock: ManualClock) {
    this.tokenType = tokenType
    this.#header = header
    this.#clock = clock
    if (tokenType === 'jwt') this.stepUp = true
    this.subject = tokenType === 'session' ? 'person' : 'machine'
    this.carrier = tokenType === 'session' ? 'header' : 'authorization'
  }

  supports({ headers }: AuthenticationContext): boolean {
    return headers[this.#header] !== undefined
  }

  createToken({ headers }: AuthenticationContext): string {
    return String(headers[this.#header])
  }

  authenticate(credential: string): AccessToken {
    const [identifier = '', roles = '', age = '-', factors = ''] = credential.split(' ')
    const provenAt = age === '-' ? null : this.#clock.now() - Number(age) * 1000
    const list = (text: string) => text.split(',').filter(Boolean)
    const user = { identifier, roles: list(roles) }
    return createAccessToken({ type: this.tokenType, user, provenAt, factors: list(factors) })
  }
}

/** A fixed sequence of numbers below a limit (mulberry32). */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const ATTRIBUTES = [
  'ROLE_USER',
  'ROLE_A',
  'FRESH(60)',
  'FRESH(600)',
  'FRESH(60,machines)',
  'FACTOR(any)',
  'FACTOR(totp)'
]
const CREDENTIALS = [
  { authenticator: 'person', header: 'x-person', machine: false },
  { authenticator: 'token', header: 'x-token', machine: false },
  { authenticator: 'machine', header: 'x-machine', machine: true }
]
const AREAS = ['in', 'strict']

interface Asked {
  readonly path: string
  readonly roles: readonly string[]
  readonly provenS: number
  readonly factors: readonly string[]
  readonly credential: (typeof CREDENTIALS)[number]
}

/** Each guard in two areas, of which one asks for a factor. */
async function setUp(t: Test, guards: readonly string[][][]) {
  const clock = new ManualClock()
  const authenticators = CREDENTIALS.map(({ authenticator }) => authenticator)
  const app = await securedApp({
    areas: {
      in: { pattern: '^/in', authenticators },
      strict: { pattern: '^/strict', authenticators, requireFactor: 'any' }
    },
    requireFactor: { ROLE_A: 'passkey' },
    parts: {
      clock,
      authenticators: {
        person: new Claimed('session', 'x-person', clock),
        token: new Claimed('jwt', 'x-token', clock),
        machine: new Claimed('apikey', 'x-machine', clock)
      }
    }
  })
  t.teardown(() => app.close())
  for (const [index, clauses] of guards.entries()) {
    const requirement = clauses.map((clause) => clause.map((attribute) => ({ attribute })))
    for (const area of AREAS) app.get(`/${area}/${index}`, guardHooks(requirement), async () => 'done')
  }
  await app.ready()
  const routes = listRoutes(app.declaredRoutes)
  const explain = accessExplainer(app, routes)
  return {
    answerOf: async ({ path, roles, provenS, factors, credential: { header, machine } }: Asked) => {
      const login = machine ? '- ' : `${provenS} ${factors.join(',')}`
      const answer = await app.inject({ url: path, headers: { [header]: `bob ${roles.join(',')} ${login}` } })
      return {
        status: answer.statusCode,
        code: answer.statusCode === 200 ? 'passed' : answer.json<{ code: string }>().code
      }
    },
    saidOf: async ({ path, roles, provenS, factors, credential }: Asked) => {
      const { proofs } = await explain({ method: 'GET', path, user: 'bob', roles, provenS, factors })
      return proofs.find(({ authenticator }) => authenticator === credential.authenticator)
    },
    cellOf: async ({ path, roles }: Asked) => {
      const asked = routes.filter((route) => route.path === path && route.methods.includes('GET'))
      const [row] = await matrixRows(asked, [roles[0] ?? 'ROLE_NOBODY'], securityOf(app), () => false)
      return row?.cells[0] ?? 'no row'
    }
  }
}

/** What may be answered where the matrix is sure; an area that asks for a factor is no matter of a role. */
const POSSIBLE: Readonly<Record<string, readonly string[]>> = {
  granted: ['passed', 'SVC_SEC_PROOF_DUE', 'SVC_SEC_STEP_UP'],
  refused: ['SVC_SEC_DENIED', 'SVC_SEC_PERSON', 'SVC_SEC_PROOF_DUE', 'SVC_SEC_STEP_UP']
}

const DUE = ['SVC_SEC_PROOF_DUE', 'SVC_SEC_STEP_UP']

t.test('300 random pairs of guard and caller: the explanation and the matrix agree with the answer', async (t) => {
  const pick = numbers(20_261_128)
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T
  const clause = () => Array.from({ length: 1 + pick(2) }, () => one(ATTRIBUTES))
  const guards = Array.from({ length: 60 }, () => Array.from({ length: 1 + pick(3) }, clause))
  const { answerOf, saidOf, cellOf } = await setUp(t, guards)
  const [cells, codes] = [new Set<string>(), new Map<string, number>()]
  for (let pair = 0; pair < 300; pair += 1) {
    const guard = pick(guards.length)
    const asked: Asked = {
      path: `/${one(AREAS)}/${guard}`,
      roles: one([['ROLE_USER'], ['ROLE_A'], ['ROLE_USER', 'ROLE_A'], []]),
      provenS: one([0, 59, 61, 601]),
      factors: one([['pwd'], ['pwd', 'otp'], ['passkey']]),
      credential: one(CREDENTIALS)
    }
    const what = `${JSON.stringify(asked)}: ${JSON.stringify(guards[guard])}`
    const [{ status, code }, said] = [await answerOf(asked), await saidOf(asked)]
    t.strictSame([said?.status ?? 200, said?.reason === 'proof-due'], [status, DUE.includes(code)], what)
    codes.set(code, (codes.get(code) ?? 0) + 1)
    // The matrix has a column for each role.
    if (asked.roles.length > 1) continue
    const cell = await cellOf(asked)
    cells.add(cell)
    const expected = POSSIBLE[cell]
    t.ok(expected?.includes(code) ?? cell === 'depends', `${what}: ${code}, and the matrix says ${cell}`)
  }
  t.strictSame([...cells].sort(), ['depends', 'granted', 'refused'])
  for (const code of ['passed', ...DUE, 'SVC_SEC_PERSON', 'SVC_SEC_DENIED']) {
    t.ok((codes.get(code) ?? 0) >= 5, `${code}: ${codes.get(code)} of 300`)
  }
})
