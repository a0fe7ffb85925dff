/** What a guard may ask of a proof, by tables: the attributes, and what becomes of a token. */
import t from 'tap'
import {
  findProof,
  openDemands,
  proofAttributes,
  proofDemandOf,
  proofRequirement,
  stepUpOf
} from '../../src/access/proof-demand.ts'
import { proofRefusal } from '../../src/access/proof-refusal.ts'
import { errorBody } from '../../src/http-errors/error-body.ts'
import { ANONYMOUS_TOKEN, createAccessToken } from '../../src/identity/identity.ts'
import { proofKind } from '../../src/identity/proof-kind.ts'
import type { FactorName, RequiredProof } from '../../src/identity/required-proof.ts'

const NOW = 1_700_000_000_000

t.test('attributes: what is written is what is read, and nothing else is', (t) => {
  const rows: ReadonlyArray<readonly [string, number | null, FactorName | null, boolean]> = [
    ['FRESH(1)', 1, null, false],
    ['FRESH(300)', 300, null, false],
    ['FRESH(300,machines)', 300, null, true],
    ['FRESH(31536000)', 31_536_000, null, false],
    ['FACTOR(totp)', null, 'totp', false],
    ['FACTOR(passkey)', null, 'passkey', false],
    ['FACTOR(any,machines)', null, 'any', true]
  ]
  for (const [attribute, maxAgeS, factor, machines] of rows) {
    t.strictSame(proofDemandOf(attribute), { maxAgeS, factor, machines }, attribute)
  }
  for (const attribute of [
    'FRESH',
    'FRESH()',
    'FRESH(0)',
    'FRESH(-1)',
    'FRESH(1.5)',
    'FRESH(01)',
    'FRESH(31536001)',
    'FRESH(99999999)',
    'FRESH(300 )',
    'FRESH(any)',
    'FRESH(300,MACHINES)',
    'FACTOR(sms)',
    'FACTOR(300)',
    'fresh(300)',
    'xFRESH(300)',
    'FRESH(300)x',
    'FRESH(300)\n',
    'constructor'
  ]) {
    t.equal(proofDemandOf(attribute), null, JSON.stringify(attribute))
  }
  t.end()
})

t.test('a required proof is one clause for each thing it asks', (t) => {
  t.strictSame(proofRequirement({ maxAgeS: 300, factor: 'any' }), [
    [{ attribute: 'FRESH(300)' }],
    [{ attribute: 'FACTOR(any)' }]
  ])
  t.strictSame(proofAttributes({ factor: 'totp', machines: true }), ['FACTOR(totp,machines)'])
  const wrong: unknown[] = [
    {},
    { maxAgeS: 0 },
    { maxAgeS: 1.5 },
    { maxAgeS: '300)' },
    { factor: 'sms' },
    { machines: true }
  ]
  for (const given of wrong) {
    t.throws(() => proofRequirement(given as RequiredProof), { code: 'SVC_KERNEL_PROOF' }, JSON.stringify(given))
  }
  t.end()
})

const session = { type: 'session', user: { identifier: 'alice' }, proof: proofKind({ carrier: 'cookie' }, 'session') }
const machines = { carrier: 'authorization', subject: 'machine' } as const
const bearer = { ...session, proof: proofKind(machines, 'key') }
const issued = { ...session, type: 'jwt', proof: proofKind({ ...machines, stepUp: true }, 'jwt') }

t.test('a token against a demand', (t) => {
  const ago = (ms: number) => NOW - ms
  const rows: ReadonlyArray<readonly [string, object, string, string]> = [
    ['as old as it may be', { provenAt: ago(300_000) }, 'FRESH(300)', 'met'],
    ['a millisecond older', { provenAt: ago(300_001) }, 'FRESH(300)', 'old'],
    ['no time', { provenAt: null }, 'FRESH(300)', 'old'],
    ['a time that is none', { provenAt: 'yesterday' }, 'FRESH(300)', 'old'],
    ['not a number', { provenAt: Number.NaN }, 'FRESH(300)', 'old'],
    ['without end', { provenAt: Number.POSITIVE_INFINITY }, 'FRESH(300)', 'old'],
    ['a clock a minute ahead', { provenAt: ago(-60_000) }, 'FRESH(300)', 'met'],
    ['a time still to come', { provenAt: ago(-60_001) }, 'FRESH(300)', 'old'],
    ['measured when it was asked for', { provenAt: ago(900_000), askedAt: ago(800_000) }, 'FRESH(300)', 'met'],
    ['too old even then', { provenAt: ago(900_000), askedAt: ago(500_000) }, 'FRESH(300)', 'old'],
    ['proven after it was asked for', { provenAt: ago(0), askedAt: ago(500_000) }, 'FRESH(300)', 'old'],
    ['a damaged time of asking is none', { provenAt: ago(1000), askedAt: 'then' }, 'FRESH(300)', 'met'],
    ['a password', { provenAt: NOW, factors: ['pwd'] }, 'FACTOR(any)', 'factor'],
    ['a provider', { provenAt: NOW, factors: ['social', 'pwd', 'mfa'] }, 'FACTOR(any)', 'factor'],
    ['a code', { provenAt: NOW, factors: ['pwd', 'otp', 'mfa'] }, 'FACTOR(any)', 'met'],
    ['a code, whenever', { provenAt: null, factors: ['otp'] }, 'FACTOR(totp)', 'met'],
    ['a recovery code is any', { factors: ['pwd', 'recovery'] }, 'FACTOR(any)', 'met'],
    ['a recovery code is no code', { factors: ['pwd', 'recovery'] }, 'FACTOR(totp)', 'factor'],
    ['a passkey', { factors: ['passkey'] }, 'FACTOR(passkey)', 'met'],
    ['a passkey is any', { factors: ['passkey'] }, 'FACTOR(any)', 'met'],
    ['a passkey is no code', { factors: ['passkey'] }, 'FACTOR(totp)', 'factor'],
    ['a code is no passkey', { factors: ['pwd', 'otp'] }, 'FACTOR(passkey)', 'factor'],
    ['a key without its person', { factors: ['pop'] }, 'FACTOR(any)', 'factor'],
    ['a key and a password', { factors: ['pwd', 'pop', 'mfa'] }, 'FACTOR(any)', 'met'],
    ['a key and a password are no passkey', { factors: ['pwd', 'pop'] }, 'FACTOR(passkey)', 'factor'],
    ['factors that are no list', { factors: 'otp' }, 'FACTOR(totp)', 'factor'],
    ['a name of Object.prototype', { factors: ['constructor'] }, 'FACTOR(any)', 'factor']
  ]
  for (const [what, more, attribute, finding] of rows) {
    t.equal(findProof(createAccessToken({ ...session, ...more }), demand(attribute), NOW), finding, `session: ${what}`)
    const jwt = createAccessToken({ ...issued, ...more })
    t.equal(findProof(jwt, demand(attribute), NOW), finding, `access token: ${what}`)
  }
  t.end()
})

t.test('machines and visitors', (t) => {
  const machine = (type: string, more: object = {}) => createAccessToken({ ...bearer, type, ...more })
  const ofLogin = (more: object = {}) => createAccessToken({ ...issued, ...more })
  const proven = { provenAt: NOW, factors: ['pwd'] }
  const rows: ReadonlyArray<readonly [string, ReturnType<typeof machine>, string, string]> = [
    ['an API key', machine('apikey'), 'FRESH(300)', 'machine'],
    ['an API key', machine('apikey'), 'FACTOR(any)', 'machine'],
    ['an API key that is admitted', machine('apikey'), 'FRESH(300,machines)', 'met'],
    ['a certificate', machine('mtls'), 'FRESH(300)', 'machine'],
    ['a kind of tomorrow', machine('robot-of-tomorrow'), 'FRESH(300)', 'machine'],
    ['a token of a login is no machine', ofLogin(proven), 'FRESH(300,machines)', 'met'],
    ['a token of an old login is none either', ofLogin({ provenAt: 1 }), 'FRESH(300,machines)', 'old'],
    ['a token of no login, where machines are admitted', ofLogin(), 'FRESH(300,machines)', 'met'],
    ['a token of no login', ofLogin(), 'FRESH(300)', 'old'],
    ['a type says nothing of it', machine('jwt'), 'FRESH(300)', 'machine'],
    ['a machine that says a login', machine('mtls', proven), 'FRESH(300)', 'met'],
    ['a visitor', ANONYMOUS_TOKEN, 'FRESH(300,machines)', 'visitor'],
    [
      'a token without a person',
      createAccessToken({ ...session, type: 'anonymous', provenAt: NOW }),
      'FRESH(300)',
      'visitor'
    ]
  ]
  for (const [what, token, attribute, finding] of rows) t.equal(findProof(token, demand(attribute), NOW), finding, what)
  t.end()
})

t.test('a polluted prototype proves nothing', (t) => {
  const prototype = Object.prototype as { provenAt?: unknown; factors?: unknown; askedAt?: unknown }
  t.teardown(() => {
    delete prototype.provenAt
    delete prototype.factors
    delete prototype.askedAt
  })
  Object.assign(prototype, { provenAt: NOW, factors: ['otp'], askedAt: NOW })
  const bare = { type: 'session', user: { identifier: 'alice', roles: [] }, getUserIdentifier: () => 'alice' }
  t.equal(findProof(bare as never, demand('FRESH(300)'), NOW), 'old')
  t.equal(findProof(bare as never, demand('FACTOR(totp)'), NOW), 'factor')
  t.end()
})

t.test('what to prove, of several demands', (t) => {
  const rows: ReadonlyArray<readonly [string[], number | null, string[]]> = [
    [['FRESH(300)'], 300, []],
    [['FRESH(300)', 'FRESH(60)'], 60, []],
    [['FACTOR(any)'], null, ['totp', 'passkey']],
    [['FACTOR(any)', 'FACTOR(totp)', 'FRESH(5)'], 5, ['totp']],
    [['FACTOR(passkey)', 'FACTOR(totp)'], null, ['passkey', 'totp']]
  ]
  for (const [attributes, maxAge, factors] of rows) {
    t.strictSame(stepUpOf(attributes.map(demand)), { maxAge, factors }, attributes.join(' '))
  }
  t.end()
})

t.test('a clause leaves open what its caller may still prove', (t) => {
  const clause = ['ROLE_ADMIN', 'FRESH(10)', 'FACTOR(any)'].map((attribute) => ({ attribute }))
  const token = createAccessToken({ ...session, provenAt: NOW, factors: ['pwd'] })
  t.strictSame(openDemands(token, clause, NOW), [demand('FACTOR(any)')])
  t.strictSame(openDemands(createAccessToken({ ...bearer, type: 'apikey' }), clause, NOW), [])
  t.end()
})

/** RFC 9110, 11.2: `auth-param = token BWS "=" BWS ( token / quoted-string )`, without escapes. */
const CHALLENGE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (.+)$/
const PARAMETER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)="([\x20\x21\x23-\x5b\x5d-\x7e]*)"$/

t.test('RFC 9470: the challenge by its grammar, and the body beside it', (t) => {
  const rows: ReadonlyArray<readonly [string[], Record<string, string>, object]> = [
    [['FRESH(300)'], { max_age: '300' }, { maxAge: 300 }],
    [['FACTOR(any)'], { acr_values: 'mfa' }, { factors: ['totp', 'passkey'] }],
    [['FACTOR(totp)', 'FRESH(5)'], { max_age: '5', acr_values: 'totp' }, { maxAge: 5, factors: ['totp'] }],
    [['FACTOR(passkey)', 'FACTOR(totp)'], { acr_values: 'passkey totp' }, { factors: ['passkey', 'totp'] }]
  ]
  for (const [attributes, expected, body] of rows) {
    const demands = attributes.map(demand)
    const token = createAccessToken(issued)
    const error = proofRefusal(token, demands, 'Token') as Error & { headers: Record<string, string> }
    const [, scheme, rest = ''] = CHALLENGE.exec(error.headers['www-authenticate'] ?? '') ?? []
    t.equal(scheme, 'Token')
    const parameters = rest.split(', ').map((text) => PARAMETER.exec(text)?.slice(1) as [string, string])
    t.equal(new Set(parameters.map(([name]) => name)).size, parameters.length, 'each parameter once')
    const { error_description: description, ...others } = Object.fromEntries(parameters)
    t.ok(description)
    t.strictSame(others, { error: 'insufficient_user_authentication', ...expected })
    const { message, ...shown } = errorBody(error, true)
    t.strictSame(shown, { statusCode: 401, code: 'SVC_SEC_STEP_UP', error: 'Unauthorized', ...body })

    const due = proofRefusal(createAccessToken(session), demands)
    t.notOk('headers' in due, 'a session gets no challenge')
    const { message: _, ...told } = errorBody(due, true)
    t.strictSame(told, { statusCode: 403, code: 'SVC_SEC_PROOF_DUE', error: 'Forbidden', ...body })
  }
  t.notOk('maxAge' in errorBody(Object.assign(new Error('x'), { maxAge: 1, factors: ['totp'] }), false))
  t.end()
})

function demand(attribute: string) {
  const read = proofDemandOf(attribute)
  if (read === null) throw new Error(attribute)
  return read
}
