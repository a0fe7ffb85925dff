/** Proofs of possession: the examples of RFC 9449, proofs by jose, and each part of one that does not hold. */
import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { exportJWK, generateKeyPair } from 'jose'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { DpopNonces } from '../../src/dpop/dpop-nonces.ts'
import { DpopProofs } from '../../src/dpop/dpop-proofs.ts'
import { idempotencyStore } from '../../src/idempotency/idempotency-store.ts'
import { ReplayGuard } from '../../src/idempotency/replay-guard.ts'
import { KeyRing, KeySet } from '../../src/signing-keys/key-set.ts'
import { newStoredKey, openKey } from '../../src/signing-keys/signing-key.ts'
import { DpopClient, type ProofOf } from '../support/dpop-client.ts'

const NOW = 1_562_262_618_000
const URL_OF = 'https://api.example/orders'
const RFC_KEY =
  'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19'

function set({ nonceLifeMs = 0, origins = [] as string[], clock = new ManualClock(NOW), keys = keySet() } = {}) {
  const store = inMemory(idempotencyStore, { clock })
  const nonces = nonceLifeMs === 0 ? null : new DpopNonces(keys, nonceLifeMs)
  const replays = new ReplayGuard(store, 'dpop')
  const proofs = new DpopProofs({ clock, replays, nonces, nonceLifeMs, toleranceMs: 0, origins })
  return { proofs, clock, store }
}

function keySet(): KeyRing {
  return new KeyRing(new KeySet([openKey(newStoredKey(0))]))
}

interface Asked {
  readonly method?: string
  readonly protocol?: string | undefined
  readonly host?: string
  readonly url?: string
}

function asking(proof: unknown, { method = 'GET', host = 'api.example', url = '/orders', ...more }: Asked = {}) {
  const protocol = 'protocol' in more ? more.protocol : 'https'
  const headers = proof === undefined ? {} : { dpop: proof }
  return { method, protocol, host, headers, raw: { url } } as unknown as FastifyRequest
}

async function causeOf(work: () => unknown): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    const { statusCode, message, reason } = error as Error & { statusCode?: number; reason?: string }
    return `${statusCode} ${message} ${reason}`
  }
}

const refused = (reason: string) => `400 INVALID_DPOP_PROOF ${reason}`

t.test('the examples of RFC 9449 hold: figures 2 and 13', async (t) => {
  const { proofs } = set()
  const jkt = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'
  const forToken = `${RFC_KEY}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg`
  const asked = asking(forToken, { method: 'POST', host: 'server.example.com', url: '/token' })
  t.equal(proofs.of(asked, null).jkt, jkt)
  const forResource = `${RFC_KEY}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA`
  const shown = asking(forResource, { host: 'resource.example.org', url: '/protectedresource?page=2' })
  t.equal(proofs.of(shown, 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU').jkt, jkt)
  t.equal(await causeOf(() => proofs.of(shown, 'another')), refused('ath'))
})

t.test('proofs by jose, of both algorithms', async (t) => {
  for (const alg of ['ES256', 'EdDSA']) {
    const { proofs } = set()
    const client = await DpopClient.make(alg)
    const given = { url: URL_OF, now: NOW, accessToken: 'a.b.c' }
    for (const proof of [await client.proof(given), await client.proof(given)]) {
      const held = proofs.of(asking(proof), 'a.b.c')
      t.equal(held.jkt, client.jkt, alg)
      await held.use()
    }
  }
})

t.test('each part of a proof that does not hold', async (t) => {
  const { proofs } = set()
  const client = await DpopClient.make()
  const other = await DpopClient.make()
  const { publicKey: p384 } = await generateKeyPair('ES384')
  const { privateKey: secret } = await generateKeyPair('ES256', { extractable: true })
  const seconds = NOW / 1000
  const rows: Array<[title: string, given: Partial<ProofOf>, reason: string]> = [
    ['another type', { header: { typ: 'JWT' } }, 'typ'],
    ['no type', { header: { typ: undefined } }, 'typ'],
    ['no key', { header: { jwk: undefined } }, 'jwk'],
    ['a key of another curve', { header: { jwk: await exportJWK(p384) } }, 'jwk'],
    ['a private key', { header: { jwk: await exportJWK(secret) } }, 'private_key'],
    ['a symmetric key', { header: { jwk: { kty: 'oct', k: 'AAAA' } } }, 'private_key'],
    ['the key of another', { header: { jwk: other.jwk } }, 'signature'],
    ['a point off the curve', { header: { jwk: { ...client.jwk, x: 'A'.repeat(43) } } }, 'jwk'],
    ['no jti', { claims: { jti: undefined } }, 'jti'],
    ['an empty jti', { claims: { jti: '' } }, 'jti'],
    ['another method', { method: 'POST' }, 'htm'],
    ['the method in small letters', { method: 'get' }, 'htm'],
    ['another path', { url: 'https://api.example/orders/1' }, 'htu'],
    ['another host', { url: 'https://evil.example/orders' }, 'htu'],
    ['another port', { url: 'https://api.example:444/orders' }, 'htu'],
    ['plain http', { url: 'http://api.example/orders' }, 'htu'],
    ['a path in capitals', { url: 'https://api.example/Orders' }, 'htu'],
    ['no URL', { url: '/orders' }, 'htu'],
    ['a URL with credentials', { url: 'https://a:b@api.example/orders' }, 'htu'],
    ['no htu', { claims: { htu: undefined } }, 'htu'],
    ['no ath', { claims: { ath: undefined } }, 'ath'],
    ['the ath of another token', { accessToken: 'd.e.f' }, 'ath'],
    ['no iat', { claims: { iat: undefined } }, 'iat'],
    ['an iat without end', { claims: { iat: 1e300 } }, 'iat'],
    ['older than a minute', { claims: { iat: seconds - 61 } }, 'old'],
    ['11 seconds ahead', { claims: { iat: seconds + 11 } }, 'future']
  ]
  for (const [title, given, reason] of rows) {
    const proof = await client.proof({ url: URL_OF, now: NOW, accessToken: 'a.b.c', ...given })
    t.equal(await causeOf(() => proofs.of(asking(proof), 'a.b.c')), refused(reason), title)
  }
  const right = await client.proof({ url: URL_OF, now: NOW, accessToken: 'a.b.c' })
  const [header = '', payload = '', signature = ''] = right.split('.')
  const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const none = coded({ typ: 'dpop+jwt', alg: 'none', jwk: client.jwk })
  const critical = coded({ typ: 'dpop+jwt', alg: 'ES256', jwk: client.jwk, crit: ['x'], x: 1 })
  const symmetric = `${coded({ typ: 'dpop+jwt', alg: 'HS256', jwk: client.jwk })}.${payload}`
  const hmac = createHmac('sha256', JSON.stringify(client.jwk)).update(symmetric).digest('base64url')
  const texts: Array<[title: string, text: unknown, reason: string]> = [
    ['no proof', undefined, 'missing'],
    ['two headers', `${right}, ${right}`, 'signature'],
    ['a list', [right], 'missing'],
    ['an empty one', '', 'header'],
    ['no token', 'a.b.c', 'header'],
    ['a header that is a list', `${coded([])}.a.b`, 'typ'],
    ['too long', `${right}${'A'.repeat(4096)}`, 'length'],
    ['alg none', `${none}.${payload}.`, 'alg'],
    ['a MAC', `${symmetric}.${hmac}`, 'alg'],
    ['crit', `${critical}.${payload}.${signature}`, 'crit'],
    ['no signature', `${header}.${payload}.`, 'signature'],
    [
      'another payload',
      `${header}.${coded({ htm: 'GET', htu: URL_OF, jti: 'x', iat: seconds })}.${signature}`,
      'signature'
    ]
  ]
  for (const [title, text, reason] of texts) {
    t.equal(await causeOf(() => proofs.of(asking(text), 'a.b.c')), refused(reason), title)
  }
  t.equal(await causeOf(() => proofs.of(asking(right), 'a.b.c').use()), null, 'the right one goes through')
})

t.test('one URL has several spellings, and a request one target', async (t) => {
  const client = await DpopClient.make()
  const rows: Array<[title: string, htu: string, asked: Asked, holds: boolean]> = [
    ['scheme and host in capitals', 'HTTPS://API.EXAMPLE/orders', {}, true],
    ['the default port', 'https://api.example:443/orders', {}, true],
    ['a host header with the default port', URL_OF, { host: 'api.example:443' }, true],
    ['a query and a fragment', 'https://api.example/orders?a=1#b', { url: '/orders?c=2' }, true],
    ['an escape that needs none', 'https://api.example/%6frders', {}, true],
    ['an escape in small letters', 'https://api.example/a%2fb', { url: '/a%2Fb' }, true],
    ['an escape is no slash', 'https://api.example/a/b', { url: '/a%2Fb' }, false],
    ['dot segments of the claim', 'https://api.example/x/../orders', {}, true],
    ['dot segments of the request', URL_OF, { url: '/x/../orders' }, false],
    ['coded dot segments of the request', URL_OF, { url: '/x/%2e%2e/orders' }, false],
    ['a target in absolute form', URL_OF, { url: 'https://api.example/orders' }, false],
    ['the URL of a WebSocket', 'wss://api.example/orders', {}, true],
    ['no host', URL_OF, { host: '' }, false],
    ['a scheme that is not known', URL_OF, { protocol: undefined }, true],
    ['a scheme of its own', 'ftp://api.example/orders', {}, false]
  ]
  for (const [title, htu, asked, holds] of rows) {
    const { proofs } = set()
    const proof = await client.proof({ url: htu, now: NOW })
    t.equal(await causeOf(() => proofs.of(asking(proof, asked), null)), holds ? null : refused('htu'), title)
  }
  const { proofs } = set({ origins: ['https://shop.example'] })
  const inside = { protocol: 'http', host: '10.0.0.7:8080' }
  const named = await client.proof({ url: 'https://shop.example/orders', now: NOW })
  t.equal(await causeOf(() => proofs.of(asking(named, inside), null)), null, 'a public origin behind a proxy')
  const unnamed = await client.proof({ url: 'http://10.0.0.7:8080/orders', now: NOW })
  t.equal(await causeOf(() => proofs.of(asking(unnamed, inside), null)), refused('htu'), 'and no other')
})

t.test('a proof is used once, for as long as it could come again', async (t) => {
  const { proofs, clock } = set()
  const client = await DpopClient.make()
  const [jti, other] = ['same', await DpopClient.make()]
  const ahead = await client.proof({ url: URL_OF, now: NOW + 10_000, claims: { jti } })
  const use = (proof: string) => causeOf(() => proofs.of(asking(proof), null).use())
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => use(ahead)))
  t.equal(atOnce.filter((cause) => cause === null).length, 1, 'of eight at once one goes through')
  t.equal(
    await use(await other.proof({ url: URL_OF, now: NOW, claims: { jti } })),
    null,
    'of another key it is another'
  )
  clock.advance(69_999)
  t.equal(await use(ahead), refused('replayed'))
  clock.advance(1)
  t.equal(
    await use(await client.proof({ url: URL_OF, now: clock.now(), claims: { jti } })),
    null,
    'a name is free again'
  )
  clock.advance(1)
  t.equal(await use(ahead), refused('old'))
})

t.test('a store that does not answer is 503', async (t) => {
  const client = await DpopClient.make()
  const claim = () => Promise.reject(Object.assign(new Error('away'), { statusCode: 503 }))
  const replays = { claim }
  const parts = { clock: new ManualClock(NOW), replays, nonces: null, nonceLifeMs: 0, toleranceMs: 0, origins: [] }
  const proof = await client.proof({ url: URL_OF, now: NOW })
  t.equal(await causeOf(() => new DpopProofs(parts).of(asking(proof), null).use()), '503 away undefined')
})

t.test('with nonces the clock of the caller does not count', async (t) => {
  const keys = keySet()
  const clock = new ManualClock(NOW)
  const { proofs } = set({ nonceLifeMs: 60_000, clock, keys })
  const { proofs: elsewhere } = set({ nonceLifeMs: 60_000, clock, keys })
  const client = await DpopClient.make()
  const due = async (given: Partial<ProofOf>) => {
    const proof = await client.proof({ url: URL_OF, now: NOW, ...given })
    try {
      return proofs.of(asking(proof), null).jkt
    } catch (error) {
      const { message, headers } = error as Error & { headers?: Record<string, string> }
      return [message, headers?.['dpop-nonce'] === proofs.nonce()]
    }
  }
  t.strictSame(await due({}), ['USE_DPOP_NONCE', true])
  t.strictSame(await due({ nonce: 'guessed' }), ['USE_DPOP_NONCE', true])
  const nonce = proofs.nonce() ?? ''
  t.equal(elsewhere.nonce(), nonce, 'of all instances with these keys')
  t.not(set({ nonceLifeMs: 60_000, clock }).proofs.nonce(), nonce, 'of others not')
  t.equal(await due({ nonce, now: 0 }), client.jkt, 'a clock that is years behind')
  clock.advance(60_000)
  t.equal(await due({ nonce }), client.jkt, 'for one period more')
  t.not(proofs.nonce(), nonce)
  clock.advance(60_000)
  t.strictSame(await due({ nonce }), ['USE_DPOP_NONCE', true])
  t.equal(set().proofs.nonce(), null)
})
