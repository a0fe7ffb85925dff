/** The least of an OpenID Connect provider that a login needs, on the loopback: discovery, keys, tokens for one subject. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Test } from 'tap'
import { portOf } from './ports.ts'

export interface OidcProvider {
  readonly issuer: string
  /** What the provider sends a browser back with that was sent to `url`. */
  visit(url: string): string
  /** How it says by its back channel that its subject has logged out. @param now epoch ms */
  logoutRequest(now: number): Promise<{ readonly headers: Record<string, string>; readonly body: string }>
}

export async function oidcProvider(t: Test): Promise<OidcProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256', use: 'sig' }
  let nonce = ''
  const idToken = () =>
    new SignJWT({ nonce })
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .setIssuer(issuer)
      .setAudience('shop')
      .setSubject('account-7')
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256']
    }),
    '/keys': () => ({ keys: [jwk] }),
    '/token': async () => ({ access_token: 'a', token_type: 'Bearer', id_token: await idToken() })
  }
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(await answers[request.url ?? '']?.()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  const issuer = `http://127.0.0.1:${portOf(server)}`
  return {
    issuer,
    async logoutRequest(now) {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const token = await new SignJWT({ events, jti: randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: '1', typ: 'logout+jwt' })
        .setIssuer(issuer)
        .setAudience('shop')
        .setSubject('account-7')
        .setIssuedAt(Math.floor(now / 1000))
        .sign(privateKey)
      return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `logout_token=${token}` }
    },
    visit(url) {
      const asked = new URL(url).searchParams
      nonce = asked.get('nonce') ?? ''
      return new URLSearchParams({ code: 'c', state: asked.get('state') ?? '' }).toString()
    }
  }
}
