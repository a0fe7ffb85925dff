/**
 * A login from its first factor to its session: the password attempt, the same for Basic, for the token endpoint and
 * for the login route; the second factor that must follow; and the one way in which every login ends, a session under
 * a new id.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock, MaybePromise, User } from 'svc-kernel'
import { toUser } from 'svc-kernel/plugin'
import type { CsrfGuard } from '../cross-origin/csrf-guard.ts'
import { InvalidCredentials } from '../errors.ts'
import { type AuditWriter, credentialsRefused, printable, readableError } from '../journal/audit-writer.ts'
import { withDeadline } from '../promises/deadline.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { SessionRecord } from '../sessions/session-store.ts'
import type { Proof } from '../sessions/stored-proof.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import type { LoginThrottler } from '../throttling/login-throttler.ts'
import type { LoginOptions, LoginResult, PasswordLogin } from '../users/account.ts'
import type { PasswordVerifier } from '../users/passwords.ts'
import type { LoadedUser } from '../users/user-source.ts'
import { passwordMark } from './password-mark.ts'

/** Says for whom it is enrolled. */
export interface SecondFactor {
  /** As the answer of a login names it: `totp`. */
  readonly method: string
  isEnrolled(identifier: string): boolean | Promise<boolean>
}

/** What a session says that its user was proven by: as RFC 8176 names it, or by its own name. */
export type Factor = 'pwd' | 'otp' | 'recovery' | 'passkey' | 'social'

/** By what the journal calls a login. */
const FACTORS: Readonly<Record<string, Factor>> = Object.freeze({
  password: 'pwd',
  totp: 'otp',
  recovery: 'recovery',
  webauthn: 'passkey',
  oauth: 'social'
})

/** The provider at which a user has to sign in, by login name; `null` where any way in will do. Rejects where it cannot say. */
export type RequiredProvider = (identifier: string) => MaybePromise<string | null>

/** `fastify.signInRules`. */
export interface SignInRules {
  /**
   * Adds a rule by which users have to sign in at a provider of `oauth2.providers`: a password, also over Basic and at the
   * token endpoint, and a passkey are then refused as wrong credentials are. Called while plugins register.
   */
  requireProvider(rule: RequiredProvider): void
}

export interface PasswordAttempt {
  readonly identifier: string
  readonly password: string
  readonly ip: string
}

export interface LoginParts {
  readonly passwords: Pick<PasswordVerifier, 'verify'>
  /** `null` where it is switched off. */
  readonly throttler: LoginThrottler | null
  readonly sessions: Pick<SessionService, 'open' | 'resumed' | 'end'>
  readonly csrf: Pick<CsrfGuard, 'checkPage'>
  readonly clock: Clock
  /** How long the lookup and the verifier may take, in milliseconds. */
  readonly timeoutMs: number
  readonly journal: Pick<AuditWriter, 'done' | 'mishap'>
}

export class LoginService implements PasswordLogin, SignInRules {
  readonly #parts: LoginParts
  readonly #factors: SecondFactor[] = []
  readonly #required: RequiredProvider[] = []
  #continued: ((from: string, to: string) => Promise<void>) | null = null

  constructor(parts: LoginParts) {
    this.#parts = parts
  }

  /** Called while the application boots. */
  addFactor(factor: SecondFactor): void {
    this.#factors.push(factor)
  }

  requireProvider(rule: RequiredProvider): void {
    this.#required.push(rule)
  }

  /**
   * @param provider at which the user has signed in; `null`: by another way
   * @throws InvalidCredentials (401) where the user has to sign in at another provider; AuthenticationUnavailable (503)
   */
  async checkProvider(identifier: string, provider: string | null): Promise<void> {
    for (const rule of this.#required) {
      const required = await orUnavailable(async () => rule(identifier))
      if (required !== null && required !== provider) throw credentialsRefused('provider_required')
    }
  }

  /** What hangs on a session that waited for its second factor goes on with the one that takes its place. */
  whenContinued(move: (from: string, to: string) => Promise<void>): void {
    this.#continued = move
  }

  /**
   * One attempt with a name and a password: throttle, verifier, then what the attempt means for the throttle.
   *
   * @throws InvalidCredentials (401) with its true cause as `reason`, Throttled (429), PasswordsBusy and
   * AuthenticationUnavailable (503): the last two are not the caller's failures and do not count
   */
  async attempt({ password, ...subject }: PasswordAttempt): Promise<LoadedUser> {
    const { throttler, passwords, timeoutMs, clock } = this.#parts
    await throttler?.check(subject)
    try {
      await this.checkProvider(subject.identifier, null)
      const verified = async () => orUnavailable(() => passwords.verify(subject.identifier, password))
      const user = await withDeadline(verified(), timeoutMs, clock)
      await throttler?.succeeded(subject)
      return user
    } catch (error) {
      const failed = readableError(error).statusCode === 401
      await (failed ? throttler?.failed(subject) : throttler?.released(subject))
      throw error
    }
  }

  /** What `UserAccounts.login` promises. */
  async login(
    request: FastifyRequest,
    identifier: string,
    password: string,
    { session: reply }: LoginOptions = {}
  ): Promise<LoginResult> {
    const foreign = reply === undefined ? null : this.#parts.csrf.checkPage(request)
    if (foreign !== null) throw foreign
    const proven = await this.#proven(request, identifier, password)
    if (reply === undefined) return this.#withoutSession(request, proven)
    const methods = await this.askSecondFactor(request, reply, proven)
    if (methods.length > 0) return { user: null, methods }
    return { ...(await this.complete(request, reply, proven)), methods: [] }
  }

  /** The attempt, audited. Its error goes to code of the application, and so without the true cause. */
  async #proven(request: FastifyRequest, identifier: string, password: string): Promise<LoadedUser> {
    try {
      // A route without a schema passes on what came, such as the operator of a query.
      if (typeof identifier !== 'string') throw credentialsRefused('malformed')
      return await this.attempt({ identifier, password, ip: request.ip })
    } catch (error) {
      const name = typeof identifier === 'string' ? printable(identifier) : null
      loginFailed(this.#parts.journal, name, error, request)
      throw error instanceof InvalidCredentials ? new InvalidCredentials() : error
    }
  }

  async #withoutSession(request: FastifyRequest, { identifier, roles }: LoadedUser): Promise<LoginResult> {
    const { journal } = this.#parts
    const methods = await orUnavailable(() => this.requiredFactors(identifier))
    if (methods.length > 0) {
      secondFactorDue(journal, identifier, methods, request)
      return { user: null, methods }
    }
    loginSucceeded(journal, identifier, 'token', request)
    return { user: toUser({ identifier, roles }) as User, methods: [] }
  }

  /** The methods that a user must still pass, in order of registration; rejects where a factor cannot answer. */
  async requiredFactors(identifier: string): Promise<string[]> {
    const enrolled = await Promise.all(this.#factors.map(async (factor) => factor.isEnrolled(identifier)))
    return this.#factors.filter((_, index) => enrolled[index]).map(({ method }) => method)
  }

  /**
   * After a first factor that held.
   *
   * @param first that factor
   * @returns the methods of which one must follow, with a session that waits for it; none where the login may complete
   * @throws AuthenticationUnavailable (503) when a factor or the session store cannot answer
   */
  async askSecondFactor(
    request: FastifyRequest,
    reply: FastifyReply,
    user: Pick<LoadedUser, 'identifier'> & Partial<Pick<LoadedUser, 'passwordHash'>>,
    first: Factor = 'pwd'
  ): Promise<readonly string[]> {
    const { sessions, clock, journal } = this.#parts
    const { identifier } = user
    const methods = await orUnavailable(() => this.requiredFactors(identifier))
    if (methods.length === 0) return methods
    const pending = { identifier, methods, since: clock.now(), first, password: passwordMark(user) }
    await sessions.open(request, reply, null, { pending })
    secondFactorDue(journal, identifier, methods, request)
    reply.header('cache-control', 'no-store')
    return methods
  }

  /**
   * @param reason how, where it was not a password: `totp`, `recovery`, `webauthn`, `oauth`
   * @param first the factor before it, where a second one was due
   * @param proof where it says more than the reason: when, and by which factors
   */
  async complete(
    request: FastifyRequest,
    reply: FastifyReply,
    { identifier, roles }: { readonly identifier: string; readonly roles: readonly string[] },
    reason: string | null = null,
    first: string | null = null,
    proof: Proof | null = null
  ): Promise<{ readonly user: User }> {
    if (reason === 'webauthn') await this.checkProvider(identifier, null)
    const user = toUser({ identifier, roles }) as User
    const last = FACTORS[reason ?? 'password'] ?? (reason as string)
    const factors = first === null ? [last] : [first, last]
    const waiting = first === 'social' ? this.#parts.sessions.resumed(request) : null
    const session = await this.#parts.sessions.open(request, reply, user.identifier, {}, proof ?? factors)
    if (waiting !== null) await this.#continue(waiting.id, session, request)
    loginSucceeded(this.#parts.journal, user.identifier, reason, request)
    reply.header('cache-control', 'no-store')
    return { user }
  }

  /** A session that lost what hung on it does not go on. */
  async #continue(from: string, session: SessionRecord, request: FastifyRequest): Promise<void> {
    try {
      await this.#continued?.(from, session.id)
    } catch (error) {
      await this.#parts.sessions.end(session, 'origin_unknown', request)
      throw error
    }
  }
}

/** @param reason how, where it was not a password: `token`, `totp`, `webauthn`, `oauth` */
export function loginSucceeded(
  journal: Pick<AuditWriter, 'done'>,
  actor: string,
  reason: string | null,
  request: FastifyRequest
): void {
  journal.done({ category: 'auth', action: 'login.success', outcome: 'success', actor, reason }, request)
}

/** With the true cause, which no answer shows. @param actor the submitted name, whether or not it exists; `null` for none */
export function loginFailed(
  journal: Pick<AuditWriter, 'done'>,
  actor: string | null,
  error: unknown,
  request: FastifyRequest
): void {
  const { statusCode, code, message, ...readable } = readableError(error)
  const reason = readable.reason ?? code ?? message
  if (statusCode !== 401 && statusCode !== 429) {
    const level = request.server.outageLog.firstOccurrence(error) ? 'error' : 'debug'
    request.log[level]({ code, reason }, 'a login could not be evaluated')
    return
  }
  const action = statusCode === 429 ? 'login.throttled' : 'login.failure'
  journal.done({ category: 'auth', action, outcome: 'failure', actor, reason }, request)
}

export function secondFactorDue(
  journal: Pick<AuditWriter, 'done'>,
  actor: string,
  methods: readonly string[],
  request: FastifyRequest
): void {
  const event = { category: 'auth', action: 'login.mfa_required', outcome: 'success' } as const
  journal.done({ ...event, actor, reason: methods.join(' ') }, request)
}
