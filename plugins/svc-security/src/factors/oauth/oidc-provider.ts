/**
 * One OpenID Connect provider, by openid-client: authorization code with PKCE,
 * state and nonce, each of one attempt. Its metadata is discovered at the first
 * use; a discovery that failed is tried again at the next.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState
} from 'openid-client'
import { AuthenticationUnavailable } from '../../errors.ts'
import { credentialsRefused, readableError, refusedFor } from '../../journal/audit-writer.ts'
import type { OAuth2Config } from '../../options.ts'
import type { Proof } from '../../sessions/stored-proof.ts'
import { type AccountsConfig, claimFault, type ProviderIdentity } from './account-rule.ts'
import { LogoutTokens } from './logout-token.ts'
import { providerLogin } from './provider-login.ts'

/** What an attempt is checked against; never leaves the server. */
export interface AuthorizationSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** How old the login at the provider may be, in seconds. */
  readonly maxAgeS?: number
}

/** Who logged in, and what the ID token says of that login. */
export interface ProviderSubject {
  readonly identity: ProviderIdentity
  readonly login: Proof
}

const TIMEOUT_S = 10

export class OidcProvider {
  readonly name: string
  readonly #setting: OAuth2Config['providers'][string]
  readonly #redirectUri: string
  #configuration: Promise<Configuration> | null = null
  #logoutTokens: LogoutTokens | null = null

  constructor(name: string, setting: OAuth2Config['providers'][string], redirectUri: string) {
    this.name = name
    this.#setting = setting
    this.#redirectUri = redirectUri
  }

  /**
   * @param maxAgeS how old the login at the provider may be; an older one is repeated there
   * @throws AuthenticationUnavailable (503) when the provider cannot be asked
   */
  async authorization(maxAgeS: number | null = null): Promise<{ url: URL; secrets: AuthorizationSecrets }> {
    const configuration = await this.#discovered()
    const proof = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const secrets = maxAgeS === null ? proof : { ...proof, maxAgeS }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      scope: this.#setting.scopes.join(' '),
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      state: secrets.state,
      nonce: secrets.nonce,
      ...(maxAgeS === null ? {} : { max_age: String(maxAgeS) })
    })
    return { url, secrets }
  }

  /**
   * Who a callback is about.
   *
   * @param search the query that the provider sent the browser back with
   * @param now epoch ms
   * @throws what openid-client finds wrong with the answer, the code or the ID token; InvalidCredentials where a claim lacks
   * what `requireClaims` asks for
   */
  async subject(search: string, now: number, secrets: AuthorizationSecrets): Promise<ProviderSubject> {
    const { state, nonce, verifier, maxAgeS } = secrets
    const configuration = await this.#discovered()
    const answer = new URL(this.#redirectUri)
    answer.search = search
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      ...(maxAgeS === undefined ? {} : { maxAge: maxAgeS }),
      idTokenExpected: true
    })
    const claims = tokens.claims() ?? {}
    const { sub: subject } = claims as { readonly sub?: unknown }
    if (typeof subject !== 'string' || subject === '') throw new AuthenticationUnavailable()
    const fault = claimFault(claims as ProviderIdentity['claims'], this.#setting.requireClaims)
    if (fault !== null) throw credentialsRefused(`claim ${fault}`)
    const identity = { provider: this.name, subject, claims: claims as ProviderIdentity['claims'] }
    return { identity, login: providerLogin(claims, now, this.#setting.secondFactor) }
  }

  /** How its first logins make accounts; `undefined`: not at all. */
  get accounts(): AccountsConfig | undefined {
    return this.#setting.accounts
  }

  /** What its logout tokens are checked by. @throws AuthenticationUnavailable (503) when the provider cannot be asked */
  async logoutTokens(): Promise<LogoutTokens> {
    const { issuer, jwks_uri: keys } = (await this.#discovered()).serverMetadata()
    if (keys === undefined) throw refusedFor(new AuthenticationUnavailable(), 'the provider names no keys')
    this.#logoutTokens ??= new LogoutTokens({ provider: this.name, issuer, clientId: this.#setting.clientId }, keys)
    return this.#logoutTokens
  }

  /**
   * Where a browser logs out at the provider (RP-Initiated Logout 1.0). The ID token is not part of it, as addresses are
   * logged: the provider asks the person instead.
   *
   * @returns `null` for a provider that has no such page
   */
  async logoutUrl(landingUrl: string): Promise<string | null> {
    const configuration = await this.#discovered()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: landingUrl }).href
  }

  async #discovered(): Promise<Configuration> {
    this.#configuration ??= this.#discover()
    try {
      return await this.#configuration
    } catch (error) {
      this.#configuration = null
      throw refusedFor(new AuthenticationUnavailable(), readableError(error).message)
    }
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#setting
    const server = new URL(issuer)
    const execute = server.protocol === 'http:' ? [allowInsecureRequests] : []
    const authentication = clientSecret === undefined ? None() : undefined
    return discovery(server, clientId, clientSecret, authentication, { execute, timeout: TIMEOUT_S })
  }
}
