/**
 * Opens tokens and API keys from the options. Signed tokens are on where a zone lists `jwt` or the section `jwt` is
 * given, API keys likewise: an application that uses neither needs no keys, no store, and has none of their routes.
 */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import { securityApi } from '../api/security-api.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { ApiKeyService } from '../api-keys/api-key-service.ts'
import { keyLookup } from '../api-keys/key-lookup.ts'
import { NO_DPOP } from '../dpop/dpop-policy.ts'
import { openDpop } from '../dpop/open-dpop.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { LoginService } from '../login/login-service.ts'
import type { ProofSetting } from '../login/recent-proof.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { RevocationNotifier } from '../sessions/revocation-notifier.ts'
import { KeyRing } from '../signing-keys/key-set.ts'
import { openKeys } from '../signing-keys/open-keys.ts'
import { guardedStore } from '../stores/guarded-store.ts'
import { type TokensStore, tokensStore } from '../token-store/tokens-store.ts'
import type { UserEndings } from '../users/user-endings.ts'
import { Subjects, type UserSource } from '../users/user-source.ts'
import { tokenRoutes } from './token.routes.ts'
import { TokenService } from './token-service.ts'

export interface TokensSetting {
  readonly config: SecurityConfig
  readonly parts: SvcSecurityParts
  readonly clock: Clock
  readonly journal: SecurityJournal
  readonly users: UserSource
  readonly endings: UserEndings
  readonly login: LoginService
  readonly proof: ProofSetting
  /** Whether signed tokens are taken, and the refresh tokens beside them. */
  readonly signed: boolean
  /** Whether API keys are taken. */
  readonly keyed: boolean
}

/**
 * Decorates `fastify.tokens`.
 *
 * @throws BootError SVC_SEC_KEYS where signed tokens are on and there are no keys to use
 */
export function openTokens(fastify: FastifyInstance, given: TokensSetting): TokenService {
  const { config, clock, journal, users, endings, login, proof, signed, keyed } = given
  const log = fastify.log.child({ plugin: 'svc-security' })
  const opened = signed || keyed ? openStore(fastify, given) : null
  const parts = {
    store: guardedStore(tokensStore, opened),
    subjects: new Subjects(users),
    clock,
    journal,
    revocations: new RevocationNotifier(),
    revocable: opened !== null
  }
  const apiKeys = new ApiKeyService(config.apiKeys, { ...parts, lookup: keyLookup(opened, users), log })
  const ring = signed ? openKeys(fastify, { jwt: config.jwt, clock, journal }) : new KeyRing(null)
  const dpop = signed ? openDpop(fastify, { config, parts: given.parts, clock, ring }) : NO_DPOP
  const tokens = new TokenService(setting(config), { ...parts, ring, apiKeys, dpop })
  fastify.decorate('tokens', tokens)
  if (opened !== null) endings.add(({ identifier, reason }) => tokens.revokeSubject(identifier, reason))
  securityApi(fastify, (scope) => {
    if (signed) tokenRoutes(scope, { tokens, login, journal, clock, scheme: config.jwt.schemes[0] ?? 'Bearer' })
    if (keyed) apiKeyRoutes(scope, apiKeys, proof)
  })
  return tokens
}

function setting({ areas, jwt }: SecurityConfig) {
  const audiences = Object.values(areas).flatMap((area) => area.audience ?? [])
  const { issuer, audience = issuer, accessTtlS, refreshTtlS, refreshGraceS, clockToleranceS, cacheSize } = jwt
  const [accessTtlMs, toleranceMs] = [accessTtlS * 1000, clockToleranceS * 1000]
  const accessAliveMs = accessTtlMs + toleranceMs
  const [refreshTtlMs, refreshGraceMs] = [refreshTtlS * 1000, refreshGraceS * 1000]
  return {
    issuer,
    audience,
    audiences,
    accessTtlMs,
    refreshTtlMs,
    refreshGraceMs,
    toleranceMs,
    accessAliveMs,
    cacheSize
  }
}

function openStore(fastify: FastifyInstance, { config, parts, clock }: TokensSetting): TokensStore | null {
  const { gcIntervalS: everyS, retentionRevokedMs, store: configured } = config.tokenStore
  const { store } = fastify.stores.select(tokensStore, configured, parts.stores?.tokens)
  if (store !== null) {
    const work = () => store.purge(retentionRevokedMs)
    fastify.maintenance.declare({ name: 'tokens', store: tokensStore.brick, everyS, clock, work })
  }
  return store
}
