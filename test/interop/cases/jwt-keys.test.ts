/** Area `jwt`, keys: which ones sign, how they change while the application runs, and what may be remembered of them. */
import { createPublicKey } from 'node:crypto'
import { newStoredKey, rotateKeys, type StoredKey } from 'svc-security/host'
import { keyFolder } from './key-folder.ts'
import { securityCase } from './security-case.ts'
import { refused, type TokenApp, taken, tokenApp } from './token-app.ts'
import { kidOf, TokenForge } from './token-forge.ts'

/** A running instance looks at its key set this often. */
const LOOK_MS = 30_000

securityCase(
  'JWT-05',
  async (t) => {
    const key = newStoredKey(0)
    const forge = new TokenForge(key, 0)
    const priv = forge.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const pub = createPublicKey(forge.privateKey).export({ type: 'spki', format: 'pem' }) as string
    const set = JSON.stringify({ keys: [key] })
    const hmac = JSON.stringify({ keys: [{ kty: 'oct', k: key.x, alg: 'HS256', kid: key.kid }] })
    const asKey = (text: string) => JSON.stringify({ keys: [text] })
    const texts = [priv, ` ${priv}`, `\n${pub}`, pub.replaceAll('\n', '\r\n'), `\ufeff${pub}`, asKey(pub), hmac, key.x]
    for (const keySetJson of [...texts, `\ufeff${set}`]) {
      const error = await tokenApp(t, { jwt: { keySetJson } }).then(
        () => null,
        (thrown: unknown) => thrown as { message: string; problems: unknown }
      )
      t.match(
        error,
        { problems: [{ code: 'SVC_SEC_KEYS', at: 'svc-security.jwt.keySetJson' }] },
        keySetJson.slice(0, 30)
      )
      t.notMatch(JSON.stringify(error) + error?.message, key.x, 'the key is not quoted')
    }
    const spaced = `\r\n \t${JSON.stringify({ keys: [key] }, null, 2).replaceAll('\n', '\r\n')}\r\n`
    const app = await tokenApp(t, { jwt: { keySetJson: spaced } })
    const { access_token } = await app.issue()
    t.equal(kidOf(access_token), key.kid)
    await taken(t, app, 'JSON may be laid out as one likes', access_token)
  },
  'a PEM, a shared secret and a byte order mark are refused; blanks around JSON mean nothing'
)

/** An application that remembers signatures and reads its keys from a folder. */
async function onDisk(t: Parameters<typeof tokenApp>[0]) {
  const { dir, file, key } = await keyFolder(t)
  const app = await tokenApp(t, { jwt: { dir, cacheSize: 100 } })
  const forge = new TokenForge(key, app.clock.now() / 1000)
  const replace = (keys: readonly StoredKey[]) => {
    file.replace(keys)
    app.clock.advance(LOOK_MS)
  }
  return { app: { ...app, forge } as TokenApp, key, replace }
}

securityCase('JWT-54', async (t) => {
  const { app, key, replace } = await onDisk(t)
  const token = await app.forge.signed({}, { exp: app.clock.now() / 1000 + 600 })
  await taken(t, app, 'verified', token)
  await taken(t, app, 'and remembered', token)
  const other = newStoredKey(0)
  replace([other])
  await refused(t, app, 'its key is gone', token, 'kid')
  replace([other, key])
  await taken(t, app, 'its key is back', token)
  replace([{ ...other, kid: key.kid }])
  await refused(t, app, 'another key took over its name', token, 'invalid_signature')
})

securityCase('JWT-55', async (t) => {
  for (const [cause, change] of [
    ['revoked', (app: TokenApp, token: string) => app.fastify.tokens.revoke(token)],
    ['invalid_before', (app: TokenApp) => app.fastify.tokens.revokeSubject('alice')],
    ['subject_locked', (app: TokenApp) => Object.assign(app.alice, { locked: true })],
    ['subject_disabled', (app: TokenApp) => Object.assign(app.alice, { enabled: false })],
    ['unknown_subject', (app: TokenApp) => app.book.accounts.delete('alice')],
    ['expired', (app: TokenApp) => app.clock.advance(60_000)]
  ] as const) {
    const app = await tokenApp(t, { jwt: { cacheSize: 100 } })
    const token = await app.forge.signed()
    for (let time = 0; time < 3; time += 1) await taken(t, app, 'remembered', token)
    await change(app, token)
    await refused(t, app, cause, token, cause)
  }
})

securityCase('JWT-56', async (t) => {
  const { app, key, replace } = await onDisk(t)
  const before = (await app.issue()).access_token
  t.equal(kidOf(before), key.kid)
  const [next, ...kept] = rotateKeys([key], app.clock.now())
  replace([next as StoredKey, ...kept])
  const between = (await app.issue()).access_token
  t.equal(kidOf(between), key.kid, 'the new key is known before it signs')
  const { keys } = JSON.parse((await app.ask('/svc/security/api/jwks')).body) as { keys: Array<{ kid: string }> }
  t.strictSame(keys.map(({ kid }) => kid).sort(), [next?.kid, key.kid].sort())
  app.clock.advance(120_000)
  const after = (await app.issue()).access_token
  t.equal(kidOf(after), next?.kid)
  for (const token of [before, between, after]) await taken(t, app, 'all of them hold', token)
  app.clock.advance(1000)
  const late = await new TokenForge(key, app.clock.now() / 1000).signed()
  await refused(t, app, 'the old key vouches for nothing that is newer than its end', late, 'retired_key')
  app.clock.advance(900_000 - LOOK_MS - 121_000)
  await refused(t, app, 'the first one has expired', before, 'expired')
  await taken(t, app, 'the second one not yet', between)
})
