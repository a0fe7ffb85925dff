/**
 * The contract of an authenticator (spec, "Authenticator contract"): one way to
 * prove an identity. It never touches the response; refusing, challenging and
 * remembering the caller is the firewall's work.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type AccessToken, type AccessTokenInput, ANONYMOUS_TOKEN, type Carrier, type SecurityScheme } from 'svc-kernel'
import type { ProofSubject } from 'svc-kernel/plugin'
import type { Revalidation } from '../revalidation/revalidation.ts'

/** What an authenticator may look at. */
export interface AuthenticationContext {
  readonly request: FastifyRequest
  readonly headers: IncomingHttpHeaders
  /** `websocket` for an upgrade request. */
  readonly transport: 'http' | 'websocket'
  /** Name of the zone that is being entered. */
  readonly zone: string
  /** The `aud` that access tokens need in the zone; `null` for that of `jwt.audience`. */
  readonly audience?: string | null
}

/** What proves an identity: a token, the data of one, or an object that names its user. */
export type Proof =
  | AccessToken
  | AccessTokenInput
  | { readonly type?: string; readonly roles?: readonly string[]; getUserIdentifier(): string }

/** Each method may answer at once or with a promise; together they have `authenticatorTimeoutMs`. */
export interface Authenticator<Credential = unknown> {
  /** Type of the tokens it makes, shown by explanations. Default: its name. */
  readonly tokenType?: string
  /**
   * How a request carries the credential. What is not `authorization` or `header` is ambient: a browser sends it by itself,
   * for pages of other origins too, so changes are checked for their page, and a WebSocket needs an `Origin`. Default
   * `unknown`, which counts as ambient and as a cookie; the boot warns of it.
   */
  readonly carrier?: Carrier
  /** `true`: ambient although it travels in a header, as HTTP Basic, which browsers remember. */
  readonly ambient?: true
  /** A machine is narrowed by its scopes. Default: by the type of the token, of which `NON_SCOPABLE_TOKEN_TYPES` are persons'. */
  readonly subject?: ProofSubject
  /**
   * Its tokens are issued after the login of a person, and can be issued again after a stronger one. One whose proof does not
   * suffice is then answered with the challenge of RFC 9470; of other machines, it is refused.
   */
  readonly stepUp?: true
  /** It loads users of the application, which then keeps accounts. */
  readonly needs?: 'accounts'
  /** How OpenAPI describes the credential. */
  readonly openapi?: SecurityScheme
  /** Is my credential present? Cheap. Claiming a request means deciding it: a failure never falls through. */
  supports(ctx: AuthenticationContext): boolean | Promise<boolean>
  /** Extracts the raw, unverified credential. */
  createToken(ctx: AuthenticationContext): Credential | Promise<Credential>
  /**
   * Verifies. Whatever it throws becomes one uniform 401, except an error with `statusCode` 429
   * or 503, which is passed on with its `Retry-After` (`error.headers` or `error.retryAfter`, seconds).
   */
  authenticate(credential: Credential): Proof | Promise<Proof>
  /** Runs once the proof holds. A throw refuses the request. */
  onSuccess?(ctx: AuthenticationContext, token: AccessToken): void | Promise<void>
  /** Runs when it does not hold. Not waited for; a throw changes nothing. */
  onFailure?(ctx: AuthenticationContext, error: unknown): void | Promise<void>
  /**
   * How the proof is checked again while its WebSocket is open. Without it, the subject is looked up among the users;
   * in an application without accounts the proof then holds until `expiresAt` of the token, or until the socket closes.
   */
  liveness?(ctx: AuthenticationContext, token: AccessToken): Revalidation
  /** The `WWW-Authenticate` value of a 401; that of the first authenticator of a zone that gives one. */
  challenge?(): string | undefined
}

/** The spec's name of the same contract. */
export type IAuthenticator<Credential = unknown> = Authenticator<Credential>

/** An authenticator under its name in zones. */
export interface NamedAuthenticator {
  readonly name: string
  readonly authenticator: Authenticator
}

export const ANONYMOUS_NAME = 'anonymous'

/** Lets in who proves nothing, as the one anonymous user. Claims every request, so it belongs last in a zone. */
export class AnonymousAuthenticator implements Authenticator<null> {
  readonly carrier = 'header'
  readonly subject = 'person'

  supports(): true {
    return true
  }

  createToken(): null {
    return null
  }

  authenticate(): AccessToken {
    return ANONYMOUS_TOKEN
  }
}
