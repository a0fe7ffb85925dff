/** JWT-05: a key set that is not one is refused with the reason, and never quoted. */
import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import t from 'tap'
import { newStoredKey, readKeySet } from '../../src/signing-keys/signing-key.ts'

const good = newStoredKey(5)
const other = newStoredKey(5)
const json = (...keys: unknown[]) => JSON.stringify({ keys })
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

t.test('what is read', async (t) => {
  const { stored, keys } = readKeySet(json(good, { ...other, d: undefined }))
  t.match(stored?.[0], good)
  t.match(keys, [
    { kid: good.kid, activeFrom: 5 },
    { kid: other.kid, privateKey: null }
  ])
})

t.test('a key that jose makes needs nothing added; its name is the RFC 7638 thumbprint', async (t) => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  const { stored } = readKeySet(json(jwk))
  t.equal(stored?.[0]?.kid, await calculateJwkThumbprint(jwk))
  t.equal(good.kid, await calculateJwkThumbprint(good as never))
})

t.test('what is refused', async (t) => {
  const rows: [title: string, text: string, fault: RegExp][] = [
    ['nothing', '', /not a JSON object/],
    ['a PEM', pem, /not a JSON object/],
    ['a PEM with a blank, CRLF and BOM', `\ufeff ${pem.replaceAll('\n', '\r\n')}`, /not a JSON object/],
    ['a PEM in JSON', JSON.stringify(pem), /no list "keys"/],
    ['no list', '{}', /no list "keys"/],
    ['an empty list', '{"keys":[]}', /no list "keys"/],
    ['null', 'null', /not a JSON object/],
    ['no JWK', json('x'), /keys\[0\]: it is not a JWK/],
    ['an RSA key', json({ ...good, kty: 'RSA' }), /Ed25519/],
    ['a symmetric key', json({ kty: 'oct', k: good.d, kid: 'x' }), /Ed25519/],
    ['Ed448', json({ ...good, crv: 'Ed448' }), /Ed25519/],
    ['alg HS256', json({ ...good, alg: 'HS256' }), /alg/],
    ['use enc', json({ ...good, use: 'enc' }), /use/],
    ['x too short', json({ ...good, x: good.x.slice(1) }), /"x"/],
    ['x padded', json({ ...good, x: `${good.x}=` }), /"x"/],
    ['x with unused bits', json({ ...good, x: `${good.x.slice(0, -1)}B` }), /"x"/],
    ['d of another key', json({ ...good, d: other.d }), /parts belong to different keys/],
    ['d a number', json({ ...good, d: 1 }), /"d"/],
    ['kid empty', json({ ...good, kid: '' }), /kid/],
    ['kid a number', json({ ...good, kid: 1 }), /kid/],
    ['kid twice', json(good, good), /keys\[1\]: its kid is not unique/],
    ['activeFrom a text', json({ ...good, activeFrom: '5' }), /activeFrom/],
    ['activeFrom negative', json({ ...good, activeFrom: -1 }), /activeFrom/],
    ['public keys alone', json({ ...good, d: undefined }), /nothing can be signed/],
    ['every mistake at once', json({ ...good, kty: 'EC' }, 'x'), /Ed25519/]
  ]
  for (const [title, text, fault] of rows) {
    const { keys, faults } = readKeySet(text)
    t.equal(keys, null, title)
    t.match(faults.join('; '), fault, title)
    t.notMatch(faults.join('; '), good.d, title)
  }
  t.equal(readKeySet(json({ ...good, kty: 'EC' }, 'x')).faults.length, 2)
})
