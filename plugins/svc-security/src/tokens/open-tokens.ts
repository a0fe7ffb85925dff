/**
 * Puts tokens and API keys together from the options. Signed tokens are on where a
 * zone lists `jwt` or the section `jwt` is given, API keys likewise: an application
 * that uses neither needs no keys, no store, and has none of their routes.
 */
import type { FastifyInstance } from 'fastify'
import { appHost, BootError, dataPath, developmentSecret, inProduction, warnProblem } from 'svc-kernel'
import type { TokensStore } from 'svc-stores'
import { securityApi } from '../api/security-api.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { ApiKeyService } from '../api-keys/api-key-service.ts'
import type { SecurityServices } from '../boot/security-services.ts'
import { tokensInUse } from '../boot/tokens-in-use.ts'
import type { SecurityConfig, SvcSecurityOptions } from '../options.ts'
import { SessionEnds } from '../sessions/session-ends.ts'
import { ephemeralKeys, findKeys } from '../signing-keys/find-keys.ts'
import { KeyRing } from '../signing-keys/key-ring.ts'
import { KeySetWatch } from '../signing-keys/key-set-watch.ts'
import { GuardedStore } from '../stores/guarded-store.ts'
import { PeriodicPurge } from '../stores/periodic-purge.ts'
import { Subjects } from '../users/subjects.ts'
import { tokenRoutes } from './token.routes.ts'
import { TokenService } from './token-service.ts'

/** What the application gave. */
export interface GivenTokens {
  /** Its options before their defaults: which sections are there at all. */
  readonly options: SvcSecurityOptions
  /** A ready store of its own. */
  readonly store: TokensStore | undefined
}

/** @throws BootError SVC_SEC_KEYS where signed tokens are on and there are no keys to use */
export async function openTokens(
  fastify: FastifyInstance,
  services: SecurityServices,
  { options, store }: GivenTokens
): Promise<void> {
  const { config, clock, journal, users, login, factors } = services
  const { signed, keyed } = tokensInUse(config.areas, options)
  const log = fastify.log.child({ plugin: 'svc-security' })
  const parts = {
    door: new GuardedStore(signed || keyed ? openStore(fastify, services, store) : null),
    subjects: new Subjects(users),
    clock,
    journal,
    ends: new SessionEnds()
  }
  const apiKeys = new ApiKeyService(config.apiKeys, { ...parts, log })
  const ring = signed ? openKeys(fastify, services) : new KeyRing(null)
  const tokens = new TokenService(setting(config), { ...parts, ring, apiKeys })
  fastify.decorate('tokens', tokens)
  securityApi(fastify, (scope) => {
    if (signed) tokenRoutes(scope, { tokens, login, secondFactors: factors, journal })
    if (keyed) apiKeyRoutes(scope, apiKeys)
  })
}

function setting({ jwt }: SecurityConfig) {
  const { issuer, audience = issuer, accessTtlS, refreshTtlS, clockToleranceS, cacheSize } = jwt
  const [accessTtlMs, toleranceMs] = [accessTtlS * 1000, clockToleranceS * 1000]
  const accessAliveMs = accessTtlMs + toleranceMs
  return { issuer, audience, accessTtlMs, refreshTtlMs: refreshTtlS * 1000, toleranceMs, accessAliveMs, cacheSize }
}

function openStore(fastify: FastifyInstance, services: SecurityServices, ready: TokensStore | undefined) {
  const { config, clock } = services
  const { gcIntervalS, retentionRevokedMs, store: configured } = config.tokenStore
  const { store } = fastify.stores.select('tokens', configured, ready)
  if (store === null) return null
  const sweep = () => store.purge(retentionRevokedMs)
  const purge = new PeriodicPurge({ name: 'tokens', intervalS: gcIntervalS, sweep, clock, log: fastify.log })
  fastify.addHook('onReady', async () => purge.start())
  fastify.addHook('onClose', async () => purge.stop())
  return store
}

function openKeys(fastify: FastifyInstance, { config, clock, journal }: SecurityServices): KeyRing {
  const production = inProduction(fastify)
  const { dir } = config.jwt
  const setting = dir === undefined ? config.jwt : { ...config.jwt, dir: dataPath(fastify, dir) }
  const ephemeral = () => developmentSecret(appHost(fastify), 'svc-security/jwt', ephemeralKeys)
  const found = findKeys(setting, { production, checkOnly: appHost(fastify).checkOnly, now: clock.now(), ephemeral })
  if ('message' in found) throw new BootError([found])
  if (found.warning !== null) warnProblem(fastify.log, found.warning)
  const ring = new KeyRing(found.keys)
  if (found.file !== null) {
    const watch = new KeySetWatch({ file: found.file, ring, clock, log: fastify.log, journal })
    fastify.addHook('onReady', async () => watch.start())
    fastify.addHook('onClose', async () => watch.stop())
  }
  return ring
}
