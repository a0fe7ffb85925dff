/** Tokens and keys over memory stores, a clock that stands still, and an audit that is only collected. */
import Fastify from 'fastify'
import type { AuditRecord } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { ApiKeyService, type ApiKeySetting } from '../../src/api-keys/api-key-service.ts'
import { keyLookup } from '../../src/api-keys/key-lookup.ts'
import { DpopPolicy } from '../../src/dpop/dpop-policy.ts'
import { DpopProofs } from '../../src/dpop/dpop-proofs.ts'
import { idempotencyStore } from '../../src/idempotency/idempotency-store.ts'
import { ReplayGuard } from '../../src/idempotency/replay-guard.ts'
import { SecurityJournal } from '../../src/journal/security-journal.ts'
import { RevocationNotifier } from '../../src/sessions/revocation-notifier.ts'
import { KeyRing, KeySet } from '../../src/signing-keys/key-set.ts'
import { newStoredKey, openKey, type StoredKey } from '../../src/signing-keys/signing-key.ts'
import { guardedStore } from '../../src/stores/guarded-store.ts'
import { type TokensStore, tokensStore } from '../../src/token-store/tokens-store.ts'
import { TokenService, type TokenSetting } from '../../src/tokens/token-service.ts'
import { ProvidedUsers, Subjects } from '../../src/users/user-source.ts'
import { Accounts } from './accounts.ts'
import { auditing } from './auditing.ts'

export const ISSUER = 'https://issuer.example'
export const AUDIENCE = 'https://api.example'
export const ACCESS_MS = 900_000

export interface TokenWorld {
  readonly tokens: TokenService
  readonly clock: ManualClock
  readonly store: TokensStore
  readonly accounts: Accounts
  readonly audited: AuditRecord[]
  readonly ring: KeyRing
  readonly key: StoredKey & { readonly d: string }
}

export interface TokenWorldSetting extends Partial<TokenSetting>, Partial<ApiKeySetting> {
  /** Stands before the memory store. */
  readonly wrap?: (store: TokensStore) => TokensStore
}

export function tokenWorld({ wrap = (store) => store, ...given }: TokenWorldSetting = {}): TokenWorld {
  const app = Fastify()
  const audited: AuditRecord[] = []
  auditing(app, (event) => audited.push(event))
  const clock = new ManualClock()
  const store = inMemory(tokensStore, { clock })
  const accounts = new Accounts()
    .add({ identifier: 'alice', roles: ['ROLE_USER'] })
    .add({ identifier: 'bob', roles: ['ROLE_USER'], locked: true })
    .add({ identifier: 'carol', roles: ['ROLE_USER'], enabled: false })
  const key = newStoredKey(0)
  const ring = new KeyRing(new KeySet([openKey(key)]))
  const users = new ProvidedUsers(accounts, null as never)
  const wrapped = wrap(store)
  const parts = {
    store: guardedStore(tokensStore, wrapped),
    lookup: keyLookup(wrapped, users),
    subjects: new Subjects(users),
    clock,
    journal: new SecurityJournal(app),
    log: app.log,
    revocations: new RevocationNotifier(),
    revocable: true
  }
  const setting = {
    issuer: ISSUER,
    audience: AUDIENCE,
    accessTtlMs: ACCESS_MS,
    refreshTtlMs: 604_800_000,
    toleranceMs: 0,
    accessAliveMs: ACCESS_MS,
    refreshGraceMs: 0,
    cacheSize: 0,
    prefix: 'svc',
    defaultExpiryDays: 90,
    maxPerSubject: 100,
    lastUsedThrottleS: 60,
    ...given
  }
  const proofs = new DpopProofs({
    clock,
    replays: new ReplayGuard(inMemory(idempotencyStore, { clock }), 'dpop'),
    nonces: null,
    nonceLifeMs: 0,
    toleranceMs: 0,
    origins: []
  })
  const dpop = new DpopPolicy(proofs, false)
  const apiKeys = new ApiKeyService(setting, parts)
  return {
    tokens: new TokenService(setting, { ...parts, ring, apiKeys, dpop }),
    clock,
    store,
    accounts,
    audited,
    ring,
    key
  }
}

/** The store with some of its operations replaced; all others stay its own. It has nothing but operations, as a ready object. */
export function overriding(store: TokensStore, operations: Partial<TokensStore>): TokensStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'withOwner') return undefined
      const own = (operations as Record<string | symbol, unknown>)[name]
      const value: unknown = own ?? Reflect.get(target, name)
      return own === undefined && typeof value === 'function' ? value.bind(target) : value
    }
  })
}

/** The uniform text of a refusal and, beside it, its true cause; `null` where nothing was refused. */
export async function causeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    const { message, reason, statusCode } = error as Error & { reason?: string; statusCode?: number }
    return `${statusCode} ${message} ${reason ?? ''}`.trim()
  }
}
