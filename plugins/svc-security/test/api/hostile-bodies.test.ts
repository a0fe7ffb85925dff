/** Bodies that anybody may send to the routes that prove identity: refused by their length, before they are parsed. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { newStoredKey } from '../../src/host.ts'
import { API, loginApp } from '../support/login-app.ts'
import { exchange } from '../support/raw-request.ts'

const MEGABYTE = JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`key${n}`, 0])))

const FACTORS = {
  totp: { encryptionKey: randomBytes(32).toString('base64') },
  passkeys: { rpId: 'shop.example', origins: ['https://shop.example'] },
  jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) }
}

const OPEN_TO_ALL = ['auth/login', 'token', 'token/refresh', 'token/revoke', 'webauthn/login/verify']

for (const path of OPEN_TO_ALL) {
  t.test(`R5: ${path} takes no body over 8 KiB, however its length is told`, async (t) => {
    const { app, accounts } = await loginApp(FACTORS)
    t.teardown(() => app.close())
    await app.listen({ port: 0, host: '127.0.0.1' })
    const head = `POST ${API}/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n`
    const told = await exchange(app, `${head}Content-Length: ${MEGABYTE.length}\r\n\r\n${MEGABYTE.slice(0, 1000)}`)
    const part = MEGABYTE.slice(0, 9000)
    const chunk = `${part.length.toString(16)}\r\n${part}\r\n`
    const streamed = await exchange(app, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)
    for (const answer of [told, streamed]) {
      t.equal(answer.status, 413)
      t.match(JSON.parse(answer.body), {
        statusCode: 413,
        code: 'FST_ERR_CTP_BODY_TOO_LARGE',
        error: 'Payload Too Large'
      })
    }
    t.equal(accounts.lookups, 0)
  })
}

t.test('R5: unknown keys within the limit: twenty details, and how many more', async (t) => {
  const { app } = await loginApp()
  t.teardown(() => app.close())
  const payload = Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`k${n}`, 0]))
  const answer = await app.inject({ method: 'POST', url: `${API}/auth/login`, payload })
  t.equal(answer.statusCode, 400)
  const { code, message, details } = answer.json()
  t.equal(code, 'SVC_HTTP_VALIDATION')
  t.match(message, /^the body is not valid; 68\d more faults are not listed$/)
  t.equal(details.length, 20)
  t.ok(answer.body.length < 4096)
})

t.test('R5: the longest name and password that are taken fit in, written as escapes', async (t) => {
  const { app } = await loginApp()
  t.teardown(() => app.close())
  const escaped = (length: number) => '\\u00e9'.repeat(length)
  const payload = `{"username":"${escaped(256)}","password":"${escaped(1024)}"}`
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url: `${API}/auth/login`, headers, payload })
  t.match(answer.json(), { statusCode: 401, code: 'SVC_SEC_CREDENTIALS' })
})
