/** An application with zones for bearer credentials, the key set it signs with, and a forge that has the same key. */
import type { FastifyInstance } from 'fastify'
import type { ModuleEntry } from 'svc-host'
import { guardHooks } from 'svc-kernel'
import type { SvcSecurityOptions } from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { tokensStore } from 'svc-security/stores'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { type AccountParts, API, accountApp, PASSWORD } from '../../support/account-app.ts'
import type { parseAnswer, RawAnswer } from '../../support/raw-http.ts'
import { type RawHeaders, rawExchange, rawRequest } from '../../support/raw-http.ts'
import { AUDIENCE, ISSUER, TokenForge } from './token-forge.ts'

export const TOKEN = `${API}/token`

/** What a guarded route of every zone demands. */
export const SCOPE = 'orders:read'

const ZONES = { jwt: ['jwt'], key: ['apikey'], both: ['jwt', 'apikey'], any: ['session', 'jwt', 'apikey'] } as const

/** In each zone `/who` tells who is asking, `/orders` demands a scope, `/admin` a role. */
const routes: ModuleEntry = Object.assign(
  async (fastify: FastifyInstance) => {
    for (const zone of Object.keys(ZONES)) {
      fastify.route({
        method: ['GET', 'POST'],
        url: `/${zone}/who`,
        handler: async ({ token }) => ({ who: token?.getUserIdentifier(), type: token?.type, jti: token?.jti ?? null })
      })
      fastify.get(`/${zone}/orders`, guardHooks([[{ attribute: SCOPE }]]), async () => ({ orders: [] }))
      fastify.get(`/${zone}/admin`, guardHooks([[{ attribute: 'ROLE_ADMIN' }]]), async () => ({ admin: true }))
    }
  },
  { [Symbol.for('skip-override')]: true }
)

/** Counts what is asked of a token store. */
export function countedStore(clock: ManualClock) {
  const memory = inMemory(tokensStore, { clock })
  const calls: Record<string, number> = {}
  const store = new Proxy(memory, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        calls[String(name)] = (calls[String(name)] ?? 0) + 1
        return (method as (...all: unknown[]) => unknown).apply(target, given)
      }
    }
  })
  return { memory, calls, store }
}

export interface TokenAppParts extends Omit<AccountParts, 'security'> {
  readonly jwt?: SvcSecurityOptions['jwt']
  readonly apiKeys?: SvcSecurityOptions['apiKeys']
  readonly tokenStore?: SvcSecurityOptions['tokenStore']
}

export async function tokenApp(t: Test, given: TokenAppParts = {}) {
  const { jwt = {}, apiKeys = {}, tokenStore = {}, modules = [], parts, ...more } = given
  const key = newStoredKey(0)
  const clock = new ManualClock()
  const counted = countedStore(clock)
  const app = await accountApp(t, {
    ...more,
    security: {
      areas: Object.fromEntries(
        Object.entries(ZONES).map(([name, authenticators]) => [
          name,
          { pattern: `^/${name}/`, authenticators: [...authenticators] }
        ])
      ),
      jwt: {
        ...(jwt.dir === undefined ? { keySetJson: JSON.stringify({ keys: [key] }) } : {}),
        issuer: ISSUER,
        audience: AUDIENCE,
        ...jwt
      },
      apiKeys,
      tokenStore
    },
    parts: { clock, ...parts, stores: { tokens: counted.store, ...parts?.stores } },
    modules: [routes, ...modules]
  })
  const ask = (target: string, headers: RawHeaders = {}): Promise<RawAnswer> =>
    rawExchange(app.port, rawRequest('GET', target, headers))
  return {
    ...app,
    ...counted,
    clock,
    forge: new TokenForge(key, clock.now() / 1000),
    ask,
    /** Presents a bearer credential. */
    present: (credential: string, target = '/jwt/who') => ask(target, { authorization: `Bearer ${credential}` }),
    /** A token by the front door. */
    issue: async (order: { readonly scope?: string } = {}) => {
      const answer = await app.browser().post(TOKEN, { username: 'alice', password: PASSWORD, ...order })
      return JSON.parse(answer.body) as { access_token: string; refresh_token: string }
    },
    makeKey: (order: object = {}) => app.fastify.tokens.apiKeys.create('alice', { name: 'nightly', ...order })
  }
}

export type TokenApp = Awaited<ReturnType<typeof tokenApp>>

/** What an answer says apart from when: its bytes without the date. */
export function undated({ text }: ReturnType<typeof parseAnswer>): string {
  return text.replace(/\r\ndate: [^\r]*/i, '')
}

/**
 * The token is refused as every bad token is.
 *
 * @param cause the reason that the audit shows
 */
export async function refused(t: Test, app: TokenApp, title: string, token: string, cause: string): Promise<void> {
  const answer = await app.present(token)
  t.equal(answer.status, 401, title)
  t.match(JSON.parse(answer.body), { message: 'INVALID_TOKEN' }, title)
  t.match(app.records.at(-1), { action: 'auth.failure', reason: cause, metadata: { authenticator: 'jwt' } }, title)
}

/** The token is taken as that of alice. */
export async function taken(t: Test, app: TokenApp, title: string, token: string): Promise<void> {
  const answer = await app.present(token)
  t.equal(answer.status, 200, title)
  t.match(JSON.parse(answer.body), { who: 'alice', type: 'jwt' }, title)
}
