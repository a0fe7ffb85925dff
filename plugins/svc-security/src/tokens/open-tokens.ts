/**
 * Puts tokens and API keys together from the options. Signed tokens are on where a
 * zone lists `jwt` or the section `jwt` is given, API keys likewise: an application
 * that uses neither needs no keys, no store, and has none of their routes.
 */
import type { FastifyInstance } from 'fastify'
import { appHost, BootError, type Clock, warnProblem } from 'svc-kernel'
import { ensureStores, type TokensStore } from 'svc-stores'
import { ApiKeyService } from '../api-keys/api-key-service.ts'
import { API_KEY_NAME } from '../authenticators/api-key-authenticator.ts'
import { JWT_NAME } from '../authenticators/jwt-authenticator.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SecurityConfig, SvcSecurityOptions } from '../options.ts'
import { PeriodicPurge } from '../purge/periodic-purge.ts'
import { findKeys } from '../signing-keys/find-keys.ts'
import { KeyRing } from '../signing-keys/key-ring.ts'
import { KeySetWatch } from '../signing-keys/key-set-watch.ts'
import type { UserSource } from '../users/user-source.ts'
import { StoreDoor } from './store-door.ts'
import { Subjects } from './subjects.ts'
import { TokenService } from './token-service.ts'

export interface TokenHost {
  /** As the application gave them: which sections are there at all. */
  readonly given: SvcSecurityOptions
  readonly config: SecurityConfig
  readonly users: UserSource
  readonly clock: Clock
  readonly journal: SecurityJournal
  /** A ready store of the application's own. */
  readonly store?: TokensStore | undefined
}

export interface OpenedTokens {
  readonly tokens: TokenService
  /** Which routes there are. */
  readonly serves: { readonly jwt: boolean; readonly apiKeys: boolean }
}

/** @throws BootError SVC_SEC_KEYS where signed tokens are on and there are no keys to use */
export async function openTokens(fastify: FastifyInstance, host: TokenHost): Promise<OpenedTokens> {
  const { given, config, clock, journal } = host
  const jwt = given.jwt !== undefined || lists(config, JWT_NAME)
  const apiKeys = given.apiKeys !== undefined || lists(config, API_KEY_NAME)
  const log = fastify.log.child({ plugin: 'svc-security' })
  const door = new StoreDoor(jwt || apiKeys ? await openStore(fastify, host) : null)
  const subjects = new Subjects(host.users)
  const parts = { door, subjects, clock, journal }
  const tokens = new TokenService(setting(config), {
    ...parts,
    ring: jwt ? openKeys(fastify, host) : new KeyRing(null),
    apiKeys: new ApiKeyService(config.apiKeys, { ...parts, log })
  })
  return { tokens, serves: { jwt, apiKeys } }
}

function lists({ areas }: SecurityConfig, authenticator: string): boolean {
  return Object.values(areas).some(({ authenticators }) => authenticators.includes(authenticator))
}

function setting({ jwt }: SecurityConfig) {
  const { issuer, audience = issuer, accessTtlS, refreshTtlS, clockToleranceS, cacheSize } = jwt
  const [accessTtlMs, toleranceMs] = [accessTtlS * 1000, clockToleranceS * 1000]
  const accessAliveMs = accessTtlMs + toleranceMs
  return { issuer, audience, accessTtlMs, refreshTtlMs: refreshTtlS * 1000, toleranceMs, accessAliveMs, cacheSize }
}

async function openStore(fastify: FastifyInstance, host: TokenHost): Promise<TokensStore | null> {
  const { config, clock } = host
  await ensureStores(fastify, { clock })
  const { store } = fastify.stores.select('tokens', config.tokenStore.store, host.store)
  if (store === null) return null
  const { gcIntervalS, retentionRevokedMs } = config.tokenStore
  const purge = new PeriodicPurge({
    name: 'tokens',
    intervalS: gcIntervalS,
    sweep: () => store.purge(retentionRevokedMs),
    clock,
    log: fastify.log
  })
  fastify.addHook('onReady', async () => purge.start())
  fastify.addHook('onClose', async () => purge.stop())
  return store
}

function openKeys(fastify: FastifyInstance, { config, clock }: TokenHost): KeyRing {
  // Without our loader nobody has said that this is production; its own mode decides otherwise.
  const production = fastify.hasDecorator('appHost') && appHost(fastify).mode === 'production'
  const found = findKeys(config.jwt, production, clock.now())
  if ('message' in found) throw new BootError([found])
  if (found.warning !== null) warnProblem(fastify.log, found.warning)
  const ring = new KeyRing(found.keys)
  if (found.file !== null) {
    const watch = new KeySetWatch({ file: found.file, ring, clock, log: fastify.log })
    fastify.addHook('onReady', async () => watch.start())
    fastify.addHook('onClose', async () => watch.stop())
  }
  return ring
}
