/** Who may use the endpoint, by the specifications of its authorization: RFC 6750, 8707, 9470 and 9728. */
import { request as rawRequest } from 'node:http'
import { controller, Factor, Get, IsGranted } from 'svc-decorators'
import t from 'tap'
import { AUDIENCE, Notes, notesApp, reached } from './support/notes-app.ts'

const METADATA = 'https://notes.example/.well-known/oauth-protected-resource/mcp'

const call = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args }
})

async function post(url: URL, token: string | null, body: object, more: Record<string, string> = {}) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...more
  }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

t.test('a token of the endpoint opens nothing else, and it takes no other', async (t) => {
  const { app, url, tokenOf } = await notesApp(t)
  const [own, other] = [await tokenOf('ann'), await tokenOf('ann', [], null)]
  const route = new URL('/api/notes/1', url)
  const get = async (token: string) => (await fetch(route, { headers: { authorization: `Bearer ${token}` } })).status
  t.equal(await get(other), 200)
  t.equal(await get(own), 401, 'a token of the endpoint over HTTP')
  t.equal((await post(url, own, call('read_note', { id: '1' }))).status, 200)
  t.equal((await post(url, other, call('read_note', { id: '1' }))).status, 401, 'any other token at the endpoint')
  const key = await app.tokens.apiKeys.create('ann', { name: 'key' })
  t.equal(await get(key.token), 200)
  t.equal((await post(url, key.token, call('read_note', { id: '1' }))).status, 401, 'an API key at the endpoint')
  await t.rejects(app.tokens.issue({ identifier: 'ann' }, { audience: 'https://elsewhere.example/mcp' }), {
    code: 'SVC_SEC_TARGET'
  })
})

t.test('a refresh keeps the audience', async (t) => {
  const { app, url } = await notesApp(t)
  const first = await app.tokens.issue({ identifier: 'ann' }, { audience: AUDIENCE })
  const next = await app.tokens.refresh(first.refreshToken)
  const route = new URL('/api/notes/1', url)
  t.equal((await fetch(route, { headers: { authorization: `Bearer ${next.accessToken}` } })).status, 401)
  t.equal((await post(url, next.accessToken, call('read_note', { id: '1' }))).status, 200)
})

t.test('a refusal says where a token comes from', async (t) => {
  const { url } = await notesApp(t, { mcp: { authorizationServers: ['https://login.example/tenant'] } })
  for (const token of [null, 'a.b.c']) {
    const answer = await post(url, token, call('read_note', { id: '1' }))
    t.equal(answer.status, 401)
    t.equal(answer.headers.get('www-authenticate'), `Bearer resource_metadata="${METADATA}"`)
  }
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url))
  t.equal(metadata.status, 200)
  t.same(await metadata.json(), {
    resource: AUDIENCE,
    authorization_servers: ['https://login.example/tenant'],
    scopes_supported: ['notes:write'],
    bearer_methods_supported: ['header'],
    resource_name: 'svc'
  })
})

t.test('a missing scope is asked for, in both generations; a missing role is not', async (t) => {
  const { url, tokenOf, clientOf } = await notesApp(t)
  reached.length = 0
  const answer = await post(url, await tokenOf('ann'), call('add_note', { text: 'x' }))
  t.equal(answer.status, 403)
  t.equal(
    answer.headers.get('www-authenticate'),
    `Bearer error="insufficient_scope", scope="notes:write", resource_metadata="${METADATA}"`
  )
  t.match(await answer.json(), { statusCode: 403, code: 'SVC_SEC_DENIED' })
  for (const modern of [false, true]) {
    const client = await clientOf(await tokenOf('ann'), { modern })
    await t.rejects(client.callTool({ name: 'add_note', arguments: { text: 'x' } }), /403|scope/i)
  }
  t.notOk(reached.some((each) => each.startsWith('add')))
  const denied = await post(url, await tokenOf('ann', ['notes:write']), call('remove_note', { id: '1' }))
  t.equal(denied.status, 200)
  t.match(await denied.json(), { result: { isError: true, _meta: { 'svc/status': 403 } } })
})

@controller('/api/vault')
class Vault {
  @Get('/', { tool: { name: 'open_vault', description: 'Opens the vault.' } })
  @Factor('any')
  @IsGranted('ROLE_USER')
  open() {
    return { open: true }
  }
}

t.test('a stronger login is asked for', async (t) => {
  const { app, url, clientOf } = await notesApp(t, { controllers: [Notes, Vault] })
  const proven = (factors: string[]) => ({ audience: AUDIENCE, proven: { provenAt: Date.now(), factors } })
  const weak = await app.tokens.issue({ identifier: 'ann' }, proven(['pwd']))
  const answer = await post(url, weak.accessToken, call('open_vault'))
  t.equal(answer.status, 401)
  t.match(
    answer.headers.get('www-authenticate'),
    /error="insufficient_user_authentication".*acr_values="mfa".*resource_metadata=/
  )
  const strong = await app.tokens.issue({ identifier: 'ann' }, proven(['pwd', 'otp']))
  t.match(await (await post(url, strong.accessToken, call('open_vault'))).json(), {
    result: { structuredContent: undefined, content: [{ text: '{"open":true}' }] }
  })
  const names = async (token: string) => (await (await clientOf(token)).listTools()).tools.map(({ name }) => name)
  t.notOk((await names(weak.accessToken)).includes('open_vault'))
  t.ok((await names(strong.accessToken)).includes('open_vault'))
})

t.test('hosts and pages of others are refused, whatever the token', async (t) => {
  const { url, tokenOf } = await notesApp(t, { mode: 'production', mcp: { origins: ['https://app.example'] } })
  const token = await tokenOf('ann')
  // `fetch` sends no Host of one's own.
  const status = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const all = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...headers
      }
      const sent = rawRequest(url, { method: 'POST', headers: all }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify(call('read_note', { id: '1' })))
    })
  t.equal(await status({ host: 'notes.example' }), 200)
  t.equal(await status({ host: 'NOTES.example' }), 200)
  for (const host of ['evil.example', 'localhost', '127.0.0.1', 'notes.example.evil.example', 'notes.example:81'])
    t.equal(await status({ host }), 403, host)
  for (const [origin, expected] of [
    ['https://notes.example', 200],
    ['https://app.example', 200],
    ['http://notes.example', 403],
    ['null', 403],
    ['http://localhost:3000', 403]
  ] as const) {
    t.equal(await status({ host: 'notes.example', origin }), expected, origin)
  }
})

t.test('no session is given, and none is taken', async (t) => {
  const { url, tokenOf } = await notesApp(t)
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  }
  const answer = await post(url, await tokenOf('ed'), initialize)
  t.equal(answer.headers.get('mcp-session-id'), null)
  const reading = await post(url, await tokenOf('nobody'), call('read_note', { id: '1' }), {
    'mcp-session-id': 'of-ed'
  })
  t.match(
    await reading.json(),
    { result: { isError: true, _meta: { 'svc/status': 403 } } },
    'the token alone says who calls'
  )
  t.equal((await post(url, null, call('read_note', { id: '1' }), { 'mcp-session-id': 'of-ed' })).status, 401)
})
