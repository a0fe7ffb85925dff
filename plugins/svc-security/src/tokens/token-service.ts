/**
 * `fastify.tokens`: issues, verifies, renews and revokes. An access token proves itself; whether it was revoked and what its
 * subject may is asked every time, also where the signature was seen before.
 */
import { type AccessToken, type Clock, createAccessToken, currentRequest, type MaybePromise } from 'svc-kernel'
import { isThenable, proofKind, withTraits } from 'svc-kernel/plugin'
import type { ApiKeyService } from '../api-keys/api-key-service.ts'
import type { DpopPolicy } from '../dpop/dpop-policy.ts'
import type { DpopProof } from '../dpop/dpop-proofs.ts'
import { InvalidTarget } from '../errors.ts'
import { submittedBy, tokenRefused } from '../journal/audit-writer.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { RevocationNotifier } from '../sessions/revocation-notifier.ts'
import { readProof, storedProof } from '../sessions/stored-proof.ts'
import type { KeyRing } from '../signing-keys/key-set.ts'
import type { PublicJwk } from '../signing-keys/signing-key.ts'
import { isUnavailable } from '../stores/guarded-store.ts'
import { checkRevocation } from '../token-store/token-denials.ts'
import type { TokensStore } from '../token-store/tokens-store.ts'
import type { LoadedUser, Subjects } from '../users/user-source.ts'
import { isCompact } from './access-token-form.ts'
import { type AccessTokenOrder, AccessTokenSigner } from './access-token-signer.ts'
import { type AccessTokenSetting, AccessTokenVerifier, type VerifiedClaims } from './access-token-verifier.ts'
import type { IssuedTokens, IssueOptions } from './issued-tokens.ts'
import { type RefreshSetting, RefreshTokens } from './refresh-tokens.ts'
import { TokenGrants } from './token-grants.ts'

export type TokenSetting = AccessTokenSetting & RefreshSetting

export interface TokenParts {
  readonly ring: KeyRing
  readonly store: TokensStore
  readonly subjects: Subjects
  readonly clock: Clock
  readonly journal: SecurityJournal
  readonly apiKeys: ApiKeyService
  /** Whether there is a store that keeps what is revoked. */
  readonly revocable: boolean
  /** Tells open connections that what proved them was revoked. */
  readonly revocations: RevocationNotifier
  /** Whether tokens are bound to keys of their callers. */
  readonly dpop: DpopPolicy
}

/** As the authenticator of signed tokens says. */
const proof = proofKind({ carrier: 'authorization', subject: 'machine', stepUp: true }, 'jwt')

/** `fastify.tokens`: issues, verifies, renews and revokes access tokens, refresh tokens and API keys. */
export class TokenService {
  /** API keys: make, list, revoke. */
  readonly apiKeys: ApiKeyService
  /** Logins by tokens: list, end. */
  readonly grants: TokenGrants
  /** Proofs of keys that callers bring, to bind tokens to. */
  readonly dpop: DpopPolicy
  readonly #setting: TokenSetting
  readonly #parts: TokenParts
  readonly #signer: AccessTokenSigner
  readonly #verifier: AccessTokenVerifier
  readonly #refresh: RefreshTokens

  constructor(setting: TokenSetting, parts: TokenParts) {
    this.#setting = setting
    this.#parts = parts
    this.apiKeys = parts.apiKeys
    this.dpop = parts.dpop
    this.#signer = new AccessTokenSigner(parts.ring, setting)
    this.#verifier = new AccessTokenVerifier(parts.ring, setting)
    this.#refresh = new RefreshTokens(setting, parts)
    this.grants = new TokenGrants(this.#refresh, parts)
  }

  /**
   * An access and a refresh token for a caller who has proven to be this user.
   *
   * @throws AuthenticationUnavailable (503) when the token store cannot work; InvalidDpopProof (400) for a proof that was
   * used before, and without one where `jwt.dpop` is `required`; InvalidTarget (400) for an audience that no zone has
   */
  async issue(
    { identifier }: { readonly identifier: string },
    { scopes = [], proven = false, dpop = null, audience = null }: IssueOptions = {}
  ): Promise<IssuedTokens> {
    if (audience !== null && this.#setting.audiences?.includes(audience) !== true) throw new InvalidTarget()
    const jkt = this.dpop.keyOf(dpop)
    await dpop?.use()
    const stored = storedProof(proven, this.#parts.clock.now())
    const { token, jti } = await this.#refresh.begin(identifier, scopes, { proof: stored, jkt, audience })
    const bound = { ...(jkt === null ? {} : { jkt }), ...(audience === null ? {} : { audience }) }
    this.#audit('token.issued', identifier, jti, { scopes, ...bound })
    return this.#sign(token, { jti, subject: identifier, scopes, jkt, audience, proof: readProof(stored) })
  }

  /**
   * Uses a refresh token up and gives its successor; the same one again for `jwt.refreshGraceS`, as long as that is the
   * newest.
   *
   * @param dpop of the key that the token is bound to; one that is bound to none is bound from then on
   * @throws InvalidToken (401); any other reuse of one that was used up ends its whole family. InvalidDpopProof (400) as
   * `issue` does
   */
  async refresh(presented: string, dpop: DpopProof | null = null): Promise<IssuedTokens> {
    const jkt = this.dpop.keyOf(dpop)
    const usable = await this.#refresh.find(presented, jkt)
    const { record } = usable
    const { identifier } = await this.#parts.subjects.load(record.subject)
    await dpop?.use()
    const { token, jti } = await this.#refresh.rotate(presented, usable, jkt)
    this.#audit('token.refreshed', identifier, jti, { replaces: record.id })
    const { scopes, audience = null } = record
    return this.#sign(token, { jti, subject: identifier, scopes, jkt, audience, proof: readProof(record.proof) })
  }

  /**
   * The identity behind an access token. Its `type` is `jwt`; it carries `scopes`, `jti`, `claims`, `issuedAt` and
   * `expiresAt` (epoch ms), and `jkt` where it is bound to a key.
   *
   * @throws InvalidToken (401, one text) with the true cause as `reason`, also for one that is bound to a key;
   * AuthenticationUnavailable (503)
   */
  async verify(token: string): Promise<AccessToken> {
    return this.prove(token)
  }

  /**
   * As `verify`, and at once where store and users answer at once: for what runs on each request.
   *
   * @param jkt of the key that its caller proved; a token that is bound to another, or to none, does not hold
   * @param audience of the zone, where that has its own
   */
  prove(token: string, jkt: string | null = null, audience: string | null = null): MaybePromise<AccessToken> {
    const { clock, store, subjects } = this.#parts
    const verified = this.#verifier.verify(token, clock.now())
    if (verified.jkt !== jkt) throw tokenRefused('cnf')
    if (!verified.audiences.includes(audience ?? this.#setting.audience)) throw tokenRefused('audience')
    const { sub, jti } = verified
    const denied = store.isDenied(jti)
    const threshold = store.invalidBefore(sub)
    const user = subjects.find(sub)
    if (!isThenable(denied) && !isThenable(threshold) && !isThenable(user)) {
      return this.#proven(verified, denied, threshold, user)
    }
    return Promise.all([denied, threshold, user]).then(
      (answers) => this.#proven(verified, ...answers),
      (error: unknown) => Promise.reject(submittedBy(error, sub))
    )
  }

  /** Whether `renewed` gives a token; it throws as that does. */
  async holds(token: AccessToken): Promise<boolean> {
    return (await this.renewed(token)) !== null
  }

  /**
   * A token of ours with the roles that its user has now, for connections that outlive a request. `null` where its proof
   * holds no more: expired, revoked, or of a user who may not act.
   *
   * @param token of type `jwt` or `apikey`
   * @throws with `statusCode` 503 where that cannot be said now
   */
  async renewed(token: AccessToken): Promise<AccessToken | null> {
    const user = await this.#holderOf(token)
    return user === null ? null : withTraits(token, { user: user.identity ?? user })
  }

  async #holderOf(token: AccessToken): Promise<LoadedUser | null> {
    try {
      if (token.type === 'apikey') return await this.apiKeys.holderOf(token)
      const { jti, issuedAt, expiresAt } = token as { jti?: unknown; issuedAt?: unknown; expiresAt?: unknown }
      if (typeof jti !== 'string' || typeof issuedAt !== 'number' || typeof expiresAt !== 'number') return null
      if (expiresAt + this.#setting.toleranceMs <= this.#parts.clock.now()) return null
      const sub = token.getUserIdentifier()
      const { store } = this.#parts
      checkRevocation(issuedAt, ...(await Promise.all([store.isDenied(jti), store.invalidBefore(sub)])))
      return await this.#parts.subjects.load(sub)
    } catch (error) {
      if (isUnavailable(error)) throw error
      return null
    }
  }

  /**
   * Whether everything of a subject that was issued until some moment is revoked, or this very token by its `jti`. For
   * proofs of an authenticator of the application.
   *
   * @param since epoch ms
   * @throws AuthenticationUnavailable (503)
   */
  async revokedUntil(token: AccessToken, since: number): Promise<boolean> {
    const { store, revocable } = this.#parts
    if (!revocable) return false
    const threshold = await store.invalidBefore(token.getUserIdentifier())
    if (threshold !== null && since <= threshold) return true
    return typeof token.jti === 'string' && (await store.isDenied(token.jti))
  }

  /** Calls `end` as soon as this process revokes what is behind a token. @returns stops watching */
  whenRevoked(token: AccessToken, end: () => void): () => void {
    const { jti, apiKeyId } = token as { jti?: unknown; apiKeyId?: unknown }
    return this.#parts.revocations.watch(String(apiKeyId ?? jti), token.getUserIdentifier(), end)
  }

  /**
   * Revokes whatever is presented, without asking who presents it: a refresh token with its family, an access token
   * with the refresh token of its family, or an API key (RFC 7009).
   *
   * @returns whether anything was alive; repeating it changes nothing
   */
  async revoke(presented: string, reason = 'logout'): Promise<boolean> {
    if (this.apiKeys.claims(presented)) return this.apiKeys.revokePresented(presented, reason)
    const found = isCompact(presented) ? await this.#denyAccess(presented) : null
    const record = found === null ? await this.#refresh.look(presented) : await this.#pairOf(found.jti)
    const ended = record !== null && (await this.#refresh.end(record, reason))
    if (found !== null && record === null) this.#parts.revocations.notify(found.jti)
    const done = ended || found?.denied === true
    if (done)
      this.#audit('token.revoked', found?.sub ?? record?.subject ?? null, found?.jti ?? record?.id ?? null, {}, reason)
    return done
  }

  /**
   * Ends everything of a subject that was issued until now: access tokens, refresh tokens and API keys.
   *
   * @returns the threshold in force, epoch ms
   */
  async revokeSubject(identifier: string, reason = 'manual'): Promise<number> {
    const { clock, store } = this.#parts
    const threshold = await store.invalidateBefore(identifier, clock.now())
    const revoked = await store.revokeBySubject(identifier, reason)
    this.#parts.revocations.notifyUser(identifier)
    const actor = currentRequest()?.user?.identifier ?? null
    this.#audit('token.revoked', actor, identifier, { all: true, revoked }, reason)
    return threshold
  }

  /** The public keys that access tokens are verified with (RFC 7517). */
  jwks(): { readonly keys: readonly PublicJwk[] } {
    const { ring, clock } = this.#parts
    return ring.current.jwks(clock.now(), this.#setting.accessAliveMs)
  }

  #proven(
    { sub, jti, scopes, claims, issuedAt, expiresAt, provenAt, factors, jkt }: VerifiedClaims,
    denied: boolean,
    threshold: number | null,
    found: LoadedUser | null
  ): AccessToken {
    try {
      checkRevocation(issuedAt, denied, threshold)
      const subject = this.#parts.subjects.usable(found, sub)
      const type = 'jwt'
      const user = subject.identity ?? subject
      const held = { scopes, jti, claims, issuedAt, expiresAt, provenAt, factors, ...(jkt === null ? null : { jkt }) }
      return createAccessToken({ type, user, proof, ...held })
    } catch (error) {
      throw submittedBy(error, sub)
    }
  }

  /** @returns `null` for a token that is not ours or has expired: there is nothing to revoke */
  async #denyAccess(token: string): Promise<{ sub: string; jti: string; denied: boolean } | null> {
    const verified = this.#verifiedOrNull(token)
    if (verified === null) return null
    const { sub, jti, expiresAt } = verified
    const before = await this.#parts.store.isDenied(jti)
    await this.#parts.store.deny(jti, expiresAt + this.#setting.toleranceMs)
    return { sub, jti, denied: !before }
  }

  #verifiedOrNull(token: string): VerifiedClaims | null {
    try {
      return this.#verifier.verify(token, this.#parts.clock.now())
    } catch {
      return null
    }
  }

  async #pairOf(jti: string) {
    const record = await this.#parts.store.find(jti)
    return record?.kind === 'refresh' ? record : null
  }

  #sign(refreshToken: string, order: AccessTokenOrder): IssuedTokens {
    const { token } = this.#signer.sign(order, this.#parts.clock.now())
    const expiresIn = this.#setting.accessTtlMs / 1000
    const { scopes, jti, jkt } = order
    return { accessToken: token, refreshToken, expiresIn, scopes, jti, jkt }
  }

  #audit(
    action: string,
    actor: string | null,
    resource: string | null,
    metadata: Readonly<Record<string, unknown>>,
    reason: string | null = null
  ): void {
    this.#parts.journal.done({ category: 'token', action, outcome: 'success', actor, resource, reason, metadata })
  }
}
