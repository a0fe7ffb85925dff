/** The types an application meets. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AccessToken, decoratorOf } from 'svc-kernel'
import type { GatesPort, JuryExplanation } from 'svc-kernel/plugin'
import svcSecurity, {
  ABSTAIN,
  type AccessVoter,
  type ApiKeyView,
  type Authenticator,
  DENY,
  type Firewall,
  GRANT,
  hashPassword,
  type IAccessVoter,
  type IAuthenticator,
  type IssuedTokens,
  type LoginResult,
  type RouteReport,
  registerAuthenticatorFactory,
  registerVoterFactory,
  type SessionService,
  type SvcSecurityOptions,
  type SvcSecurityParts,
  type TokenService,
  type UserAccounts,
  Vote,
  verifyPassword,
  type Zone
} from 'svc-security'
import type { PublicJwk } from 'svc-security/host'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance
declare const token: AccessToken
declare const request: FastifyRequest

test('votes are a closed set', () => {
  expect(GRANT).type.toBe<'GRANT'>()
  expect(DENY).type.toBe<'DENY'>()
  expect(ABSTAIN).type.toBe<'ABSTAIN'>()
  expect<Vote>().type.toBe<'GRANT' | 'DENY' | 'ABSTAIN'>()
  expect(Vote.GRANT).type.toBe<'GRANT'>()
})

test('the names of the specification are the same contracts', () => {
  expect<IAccessVoter>().type.toBe<AccessVoter>()
  expect<IAuthenticator<string>>().type.toBe<Authenticator<string>>()
})

test('a voter votes at once, later, or with a reason', () => {
  const vote = (given: AccessVoter['vote']): AccessVoter => ({ supports: () => true, vote: given })
  expect(vote).type.toBeCallableWith(() => GRANT)
  expect(vote).type.toBeCallableWith(async () => DENY)
  expect(vote).type.toBeCallableWith(() => ({ vote: ABSTAIN, reason: 'not mine' }))
  expect(vote).type.not.toBeCallableWith(() => true)
  expect(vote).type.not.toBeCallableWith(() => 'grant')
})

test('factories receive the container and the completed options', () => {
  registerVoterFactory('typed', ({ container, config }) => {
    expect(container).type.toBe<FastifyInstance>()
    expect(config.jury.voterTimeoutMs).type.toBe<number>()
    return { supports: () => false, vote: () => ABSTAIN }
  })
  registerAuthenticatorFactory('typed', ({ config }) => {
    expect(config.authenticatorTimeoutMs).type.toBe<number>()
    return { supports: () => false, createToken: () => null, authenticate: () => token }
  })
})

test('what the plugin puts on the instance', () => {
  expect(fastify.firewall).type.toBe<Firewall>()
  expect(fastify.firewall.zones).type.toBe<readonly Zone[]>()
  expect(fastify.firewall.zoneOf('/api')).type.toBe<Zone | null>()
  expect(fastify.firewall.report()).type.toBe<RouteReport[]>()
  expect(fastify.jury.decide(token, 'ROLE_USER')).type.toBe<boolean | Promise<boolean>>()
  expect(fastify.jury.decide).type.toBeCallableWith(null, 'edit', { id: 1 })
  expect(fastify.jury.explain(token, 'ROLE_USER')).type.toBe<Promise<JuryExplanation>>()
})

test('options: an area needs a pattern and authenticators, modes are closed', () => {
  expect<SvcSecurityOptions>().type.toBeAssignableFrom({
    areas: { api: { pattern: '^/api', authenticators: ['anonymous'], mode: 'all' as const } },
    roleHierarchy: { ROLE_ADMIN: ['ROLE_USER'] }
  })
  expect<SvcSecurityOptions>().type.not.toBeAssignableFrom({ areas: { api: { pattern: '^/api' } } })
  expect<SvcSecurityOptions>().type.not.toBeAssignableFrom({
    areas: { api: { pattern: '^/api', authenticators: [], mode: 'any' } }
  })
  expect(fastify.register).type.toBeCallableWith(svcSecurity, { parts: { voters: [] } })
})

test('tokens are typed', () => {
  expect(fastify.tokens.issue({ identifier: 'ada' }, { scopes: ['a:b'] })).type.toBe<Promise<IssuedTokens>>()
  expect(fastify.tokens.verify('a.b.c')).type.toBe<Promise<AccessToken>>()
  expect(fastify.tokens.apiKeys.create('ada', { name: 'ci' })).type.toBe<Promise<{ view: ApiKeyView; token: string }>>()
  expect<ApiKeyView>().type.not.toHaveProperty('secretHash')
  expect<PublicJwk>().type.not.toHaveProperty('d')
})

test('E8: accounts may be off: a plugin that can do without asks', () => {
  expect(decoratorOf(fastify, 'sessions')).type.toBe<SessionService | null>()
  expect(decoratorOf(fastify, 'tokens')).type.toBe<TokenService | null>()
  expect(decoratorOf).type.not.toBeCallableWith(fastify, 'session')
})

test('accounts: what an application with users has and may give', () => {
  expect(fastify.sessions).type.toBe<SessionService>()
  expect(fastify.tokens).type.toBe<TokenService>()
  expect(fastify.userAccounts).type.toBe<UserAccounts>()
  expect(fastify.gates).type.toBe<GatesPort>()
  expect(fastify.sessions.resume).type.toBeCallableWith(request)
  expect(fastify.userAccounts.create).type.toBeCallableWith({ identifier: 'a', password: 'b', roles: [] })
  expect(hashPassword('secret')).type.toBe<Promise<string>>()
  expect(verifyPassword('secret', null)).type.toBe<Promise<boolean>>()
  expect(fastify.userAccounts.login(request, 'ada', 'secret')).type.toBe<Promise<LoginResult>>()
  // A login that waits for a second factor has no user, and so no token.
  expect(fastify.tokens.issue).type.not.toBeCallableWith({} as LoginResult['user'])
  expect<SvcSecurityParts>().type.toBeAssignableFrom({ users: { findByIdentifier: (_name: string) => null } })
  expect<SvcSecurityParts>().type.not.toBeAssignableFrom({ users: { find: () => null } })
  // C22: what a provider gives is typed.
  const given = (user: object | null) => ({ users: { findByIdentifier: () => user } })
  expect<SvcSecurityParts>().type.not.toBeAssignableFrom(given({}))
  const row = { identifier: 'ada', roles: null, active: false, email: 'a@b.c' }
  expect<SvcSecurityParts>().type.toBeAssignableFrom({ users: { findByIdentifier: async () => row } })
  expect<SvcSecurityParts>().type.not.toBeAssignableFrom({
    users: { findByIdentifier: () => ({ ...row, locked: 'no' }) }
  })
  expect<SvcSecurityParts>().type.not.toBeAssignableFrom({ users: { findByIdentifier: () => ({ roles: [] }) } })
  expect<SvcSecurityOptions>().type.toBeAssignableFrom({ session: { idleTimeoutS: 60 }, rateLimit: { enabled: false } })
  expect<SvcSecurityOptions>().type.not.toBeAssignableFrom({ session: { store: 'redis' } })
  const entity = { name: 'Account', identifier: 'email', password: 'hash' }
  expect<SvcSecurityOptions>().type.toBeAssignableFrom({ users: { entity }, jwt: { schemes: ['Token'] } })
  expect<SvcSecurityOptions>().type.not.toBeAssignableFrom({ users: { entity: { name: 'Account' } } })
})
