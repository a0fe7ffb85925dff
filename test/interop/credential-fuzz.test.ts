/** Credentials as no client would send them: refused with 400, 401 or 431, never a failure of ours, never a stack. */
import t from 'tap'
import { API, accountApp, PASSWORD } from '../support/account-app.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const REFUSED = new Set([400, 401, 431])

t.test('garbage where a credential belongs', async (t) => {
  const { port, book, lines, browser } = await accountApp(t, { security: { rateLimit: { enabled: false } } })
  const person = browser()
  await person.login()
  book.lookups = 0
  const big = 'A'.repeat(8192)
  const right = Buffer.from(`alice:${PASSWORD}`).toString('base64')
  const rows: Array<[target: string, headers: Record<string, string | string[]>]> = [
    ['/in/who', { cookie: `svc_session=${big}` }],
    ['/in/who', { cookie: `${big}=1; svc_session=x` }],
    ['/in/who', { cookie: ';;;===,,,' }],
    ['/in/who', { cookie: `svc_session=${person.session}; svc_session=${person.session}` }],
    ['/in/who', { cookie: [`svc_session=${person.session}`, `svc_session=${'A'.repeat(43)}`] }],
    ['/in/who', { cookie: 'svc_session=\u00ff\u00fe' }],
    ['/in/who', { cookie: 'svc_session=%00' }],
    ['/in/who', { cookie: '__proto__=1; constructor=2; svc_session=toString' }],
    ['/basic/who', { authorization: `Basic ${big}` }],
    ['/basic/who', { authorization: `Basic ${Buffer.from(`alice:${big}`).toString('base64')}` }],
    ['/basic/who', { authorization: `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}` }],
    ['/basic/who', { authorization: `Basic ${Buffer.from('alice\0:x').toString('base64')}` }],
    ['/basic/who', { authorization: `Basic ${Buffer.from('\ud800:x').toString('base64')}` }],
    ['/basic/who', { authorization: 'Basic \u00ff\u00fe' }],
    ['/basic/who', { authorization: [`Basic ${right}`, `Basic ${right}`] }],
    ['/basic/who', { authorization: `Basic ${right}, Basic ${right}` }],
    ['/basic/who', { authorization: big }],
    ['/basic/who', { authorization: '' }],
    ['/basic/who', { authorization: `Basic ${'A'.repeat(20_000)}` }]
  ]
  for (const [target, headers] of rows) {
    const answer = await rawExchange(port, rawRequest('GET', target, headers))
    t.ok(REFUSED.has(answer.status), `${target} ${JSON.stringify(headers).slice(0, 60)}: ${answer.status}`)
    t.notMatch(answer.body, /at .*\.[jt]s|node:/)
  }
  t.equal((await person.call('GET', '/in/who')).status, 200, 'and the session lives')
  t.strictSame(
    lines.filter(({ level }) => level >= 50),
    []
  )
})

t.test('random bytes', async (t) => {
  const { port, lines } = await accountApp(t, { security: { rateLimit: { enabled: false } } })
  const random = new SeededRandom(7)
  const bytes = (count: number) =>
    String.fromCharCode(...Array.from({ length: count }, () => 0x20 + random.below(0xdf))).replace(/\x7f/g, ' ')
  for (let round = 0; round < 300; round += 1) {
    const text = bytes(1 + random.below(200))
    const [target, headers] =
      round % 2 === 0
        ? ['/in/who', { cookie: `svc_session=${text}` }]
        : [
            '/basic/who',
            { authorization: `Basic ${Buffer.from(text, 'latin1').toString(round % 3 ? 'base64' : 'latin1')}` }
          ]
    const answer = await rawExchange(port, rawRequest('GET', target as string, headers as Record<string, string>))
    if (!REFUSED.has(answer.status)) t.fail(`${JSON.stringify(text)}: ${answer.status}`)
  }
  t.strictSame(
    lines.filter(({ level }) => level >= 50),
    []
  )
})

t.test('bodies of a login', async (t) => {
  const { port, lines } = await accountApp(t)
  const bodies = [
    '',
    '{',
    'null',
    '""',
    '[]',
    '{"username":"a","password":"b"',
    '{"__proto__":{"username":"a","password":"b"}}',
    '{"constructor":{"prototype":{}},"username":"a","password":"b"}',
    '{"username":"\\ud800","password":"\\udfff"}',
    '{"username":"a\\u0000b","password":"c"}',
    `{"username":"${'a'.repeat(257)}","password":"b"}`,
    `{"username":"a","password":"${'b'.repeat(1025)}"}`,
    `${'['.repeat(5000)}`,
    '{"username":"a","username":{"$ne":1},"password":"b"}',
    '\u0000\u0001\u0002'
  ]
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' }
    const answer = await rawExchange(port, rawRequest('POST', `${API}/auth/login`, headers, body))
    t.ok(REFUSED.has(answer.status), `${JSON.stringify(body.slice(0, 60))}: ${answer.status}`)
  }
  t.strictSame(
    lines.filter(({ level }) => level >= 50),
    []
  )
})
