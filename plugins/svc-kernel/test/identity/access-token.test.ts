/** Tokens made here, and tokens adopted from authenticators that may hand over anything. */
import t from 'tap'
import {
  type AccessTokenInput,
  ANONYMOUS,
  ANONYMOUS_TOKEN,
  adoptAccessToken,
  createAccessToken
} from '../../src/identity/identity.ts'

t.test('a token keeps its attributes and is frozen', async (t) => {
  const token = createAccessToken({ type: 'jwt', user: { identifier: 'ada' }, scopes: ['orders:read'], jti: 'j1' })
  t.equal(token.type, 'jwt')
  t.equal(token.jti, 'j1')
  t.same(token.scopes, ['orders:read'])
  t.equal(token.getUserIdentifier(), 'ada')
  t.ok(Object.isFrozen(token) && Object.isFrozen(token.scopes) && Object.isFrozen(token.user))
})

const refused: ReadonlyArray<[title: string, input: unknown, message: RegExp]> = [
  ['no identifier', { type: 'jwt', user: { identifier: '' } }, /identifier/],
  ['no user', { type: 'jwt' }, /identifier/],
  ['no type', { type: '', user: { identifier: 'ada' } }, /type/],
  ['scopes that are text', { type: 'jwt', user: { identifier: 'ada' }, scopes: 'orders:read' }, /list/]
]

for (const [title, input, message] of refused) {
  t.test(`refused: ${title}`, async (t) => {
    t.throws(() => createAccessToken(input as AccessTokenInput), { name: 'TypeError', message })
  })
}

t.test("scopes of a polluted prototype are nobody's", async (t) => {
  const prototype = Object.prototype as { scopes?: string[] }
  t.teardown(() => {
    delete prototype.scopes
  })
  prototype.scopes = ['orders:write']
  const made = createAccessToken({ type: 'jwt', user: { identifier: 'ada' } })
  const adopted = adoptAccessToken({ type: 'jwt', user: { identifier: 'ada' } })
  t.same([[...(made.scopes ?? [])], [...(adopted?.scopes ?? [])]], [[], []])
})

t.test('the anonymous token', async (t) => {
  t.equal(ANONYMOUS_TOKEN.type, 'anonymous')
  t.equal(ANONYMOUS_TOKEN.user, ANONYMOUS)
})

class DeviceToken {
  readonly type = 'device'
  readonly roles = ['ROLE_DEVICE']
  getUserIdentifier(): string {
    return 'device-7'
  }
}

class InheritedType {
  get type(): string {
    return 'session'
  }
  getUserIdentifier(): string {
    return 'ada'
  }
}

const throwing = { getUserIdentifier: () => 'ada' }
Object.defineProperty(throwing, 'type', {
  enumerable: true,
  get: () => {
    throw new Error('trap')
  }
})

const trap = (): never => {
  throw new Error('trap')
}

interface Adopted {
  readonly type: string
  readonly identifier: string
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
}

const adoptions: ReadonlyArray<[title: string, given: unknown, expected: Adopted | null]> = [
  [
    'a plain object',
    { type: 'jwt', user: { identifier: 'ada', roles: ['ROLE_A'] } },
    { type: 'jwt', identifier: 'ada', roles: ['ROLE_A'] }
  ],
  ['a class instance', new DeviceToken(), { type: 'device', identifier: 'device-7', roles: ['ROLE_DEVICE'] }],
  ['an inherited type is a machine', new InheritedType(), { type: 'unknown', identifier: 'ada' }],
  ['no type', { user: { identifier: 'ada' } }, { type: 'unknown', identifier: 'ada' }],
  ['a type that is no text', { type: 1, user: { identifier: 'ada' } }, { type: 'unknown', identifier: 'ada' }],
  [
    'damaged scopes',
    { type: 'jwt', user: { identifier: 'a' }, scopes: [1, 'x:y', null] },
    { type: 'jwt', identifier: 'a', scopes: ['x:y'] }
  ],
  [
    'scopes that are text',
    { type: 'jwt', user: { identifier: 'a' }, scopes: 'x:y' },
    { type: 'jwt', identifier: 'a', scopes: [] }
  ],
  [
    'names that agree',
    { type: 'jwt', user: { identifier: 'ada' }, getUserIdentifier: () => 'ada' },
    { type: 'jwt', identifier: 'ada' }
  ],
  ['names that differ', { type: 'jwt', user: { identifier: 'ada' }, getUserIdentifier: () => 'root' }, null],
  ['no identity', { type: 'jwt' }, null],
  ['an empty identifier', { type: 'jwt', user: { identifier: '' } }, null],
  ['a name that is no text', { getUserIdentifier: () => 7 }, null],
  ['a throwing getter', throwing, null],
  ['a throwing name', { getUserIdentifier: trap }, null],
  [
    'a user with a throwing getter',
    { type: 'jwt', user: Object.defineProperty({}, 'identifier', { get: trap }) },
    null
  ],
  [
    'a proxy that throws on everything',
    new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap }),
    null
  ],
  ['a revoked proxy', revoked(), null],
  ['null', null, null],
  ['undefined', undefined, null],
  ['text', 'token', null],
  ['true', true, null]
]

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

for (const [title, given, expected] of adoptions) {
  t.test(`adopted: ${title}`, async (t) => {
    const token = adoptAccessToken(given)
    if (expected === null || token === null) {
      t.equal(token, null)
      t.equal(expected, null)
      return
    }
    t.equal(token.type, expected.type)
    t.equal(token.getUserIdentifier(), expected.identifier)
    t.same(token.user.roles, expected.roles ?? [])
    t.same(token.scopes, expected.scopes ?? [])
    t.ok(Object.isFrozen(token))
  })
}

t.test('a token made here is adopted as it is', async (t) => {
  const token = createAccessToken({ type: 'jwt', user: { identifier: 'ada' } })
  t.equal(adoptAccessToken(token), token)
})

t.test('a copy of a token with another type is read anew', async (t) => {
  const token = createAccessToken({ type: 'jwt', user: { identifier: 'ada' } })
  const copy = { ...token, type: 'apikey' }
  t.equal(adoptAccessToken(copy)?.type, 'apikey')
})

t.test('attributes are promoted, an own __proto__ key changes no prototype', async (t) => {
  const given = JSON.parse('{"type":"jwt","user":{"identifier":"ada"},"tenantId":"t1","__proto__":{"admin":true}}')
  const token = adoptAccessToken(given)
  t.equal(token?.tenantId, 't1')
  t.equal(token?.admin, undefined)
  t.equal(Object.getPrototypeOf(token), Object.prototype)
})

t.test("a polluted prototype makes nobody and nobody's role", async (t) => {
  const prototype = Object.prototype as Record<string, unknown>
  t.teardown(() => {
    for (const name of ['user', 'type', 'roles', 'getUserIdentifier']) delete prototype[name]
  })
  prototype.user = { identifier: 'root', roles: ['ROLE_ADMIN'] }
  prototype.type = 'session'
  prototype.roles = ['ROLE_ADMIN']
  prototype.getUserIdentifier = () => 'root'
  const nobody = adoptAccessToken({ tenantId: 't1' })
  const ada = adoptAccessToken({ user: { identifier: 'ada' } })
  t.equal(nobody, null)
  t.same([ada?.type, [...(ada?.user.roles ?? [])]], ['unknown', []])
})
