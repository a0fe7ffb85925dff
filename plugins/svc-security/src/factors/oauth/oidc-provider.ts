/**
 * One OpenID Connect provider, by openid-client: authorization code with PKCE,
 * state and nonce, each of one attempt. Its metadata is discovered at the first
 * use; a discovery that failed is tried again at the next.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState
} from 'openid-client'
import { AuthenticationUnavailable } from '../../errors.ts'
import { readableError, refusedFor } from '../../journal/audit-writer.ts'
import type { OAuth2Config } from '../../options.ts'

/** What an attempt is checked against; never leaves the server. */
export interface AuthorizationSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

const TIMEOUT_S = 10

export class OidcProvider {
  readonly name: string
  readonly #setting: OAuth2Config['providers'][string]
  readonly #redirectUri: string
  #configuration: Promise<Configuration> | null = null

  constructor(name: string, setting: OAuth2Config['providers'][string], redirectUri: string) {
    this.name = name
    this.#setting = setting
    this.#redirectUri = redirectUri
  }

  /** @throws AuthenticationUnavailable (503) when the provider cannot be asked */
  async authorization(): Promise<{ url: URL; secrets: AuthorizationSecrets }> {
    const configuration = await this.#discovered()
    const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      scope: this.#setting.scopes.join(' '),
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      state: secrets.state,
      nonce: secrets.nonce
    })
    return { url, secrets }
  }

  /**
   * The subject of a callback.
   *
   * @param search the query that the provider sent the browser back with
   * @throws what openid-client finds wrong with the answer, the code or the ID token
   */
  async subject(search: string, { state, nonce, verifier }: AuthorizationSecrets): Promise<string> {
    const configuration = await this.#discovered()
    const answer = new URL(this.#redirectUri)
    answer.search = search
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true
    })
    const { sub } = tokens.claims() ?? {}
    if (typeof sub !== 'string' || sub === '') throw new AuthenticationUnavailable()
    return sub
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
