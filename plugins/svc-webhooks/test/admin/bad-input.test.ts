/** Bad input over raw HTTP: each has its status, nothing of it is kept, and the next caller is served. */
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { API, openApp } from '../support/admin-app.ts'

const GIVEN = { url: 'https://a.example/hook', events: ['*'] }

async function listening(t: Test) {
  const app = await openApp(t)
  await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  return { ...app, port: portOf(app.fastify) }
}

function portOf({ server }: FastifyInstance): number {
  return (server.address() as { port: number }).port
}

/** Sends these very bytes. @returns status line and body */
async function raw(port: number, head: string, body: string | Buffer = ''): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  // A server that refuses a body may close before it has read all of it.
  socket.on('error', () => socket.destroy())
  const length = Buffer.byteLength(body)
  socket.write(
    `${head} HTTP/1.1\r\nhost: x\r\nx-roles: ROLE_SVC_ADMIN\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  )
  socket.write(body)
  let answer = ''
  try {
    for await (const chunk of socket) answer += String(chunk)
  } catch {
    // What came before the end is the answer.
  }
  return answer
}

const bodies: [name: string, body: string | Buffer, status: number][] = [
  ['no JSON', '{', 400],
  ['nothing', '', 400],
  ['null', 'null', 400],
  ['a list', '[]', 400],
  ['a text', '"https://a.example"', 400],
  ['no url', JSON.stringify({ events: ['*'] }), 400],
  ['no events', JSON.stringify({ url: GIVEN.url }), 400],
  ['events that are none', JSON.stringify({ ...GIVEN, events: [] }), 400],
  ['events twice', JSON.stringify({ ...GIVEN, events: ['*', '*'] }), 400],
  ['an event in the middle', JSON.stringify({ ...GIVEN, events: ['a.*.b'] }), 400],
  ['an event of spaces', JSON.stringify({ ...GIVEN, events: ['login failure'] }), 400],
  ['an event that runs on', JSON.stringify({ ...GIVEN, events: [`a${'.b'.repeat(120)}`] }), 400],
  ['101 events', JSON.stringify({ ...GIVEN, events: Array.from({ length: 101 }, (_, n) => `e${n}`) }), 400],
  ['a number for a url', JSON.stringify({ ...GIVEN, url: 7 }), 400],
  ['an operator for a url', JSON.stringify({ ...GIVEN, url: { $ne: null } }), 400],
  ['a long url', JSON.stringify({ ...GIVEN, url: `https://a.example/${'x'.repeat(2048)}` }), 400],
  ['a text for enabled', JSON.stringify({ ...GIVEN, enabled: 'true' }), 400],
  ['an unknown field', JSON.stringify({ ...GIVEN, secret: 'whsec_mine' }), 400],
  ['a given id', JSON.stringify({ ...GIVEN, id: 'wh_mine' }), 400],
  ['a given secret at rest', JSON.stringify({ ...GIVEN, secretEnc: 'gcm1.x' }), 400],
  ['a description that is long', JSON.stringify({ ...GIVEN, description: 'x'.repeat(1001) }), 400],
  ['a description of 10 MB', JSON.stringify({ ...GIVEN, description: 'x'.repeat(10_000_000) }), 413],
  ['metadata of 10 MB', JSON.stringify({ ...GIVEN, metadata: { a: 'x'.repeat(10_000_000) } }), 413],
  ['a NUL in the description', JSON.stringify({ ...GIVEN, description: 'a\0b' }), 400],
  ['half a character', '{"url":"https://a.example/","events":["*"],"description":"\\ud800"}', 400],
  ['a prototype', '{"url":"https://a.example/","events":["*"],"__proto__":{"enabled":false}}', 400],
  ['a prototype in metadata', '{"url":"https://a.example/","events":["*"],"metadata":{"__proto__":{}}}', 400],
  ['a constructor', '{"url":"https://a.example/","events":["*"],"constructor":{"prototype":{}}}', 400],
  [
    'deep metadata',
    `{"url":"https://a.example/","events":["*"],"metadata":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    400
  ],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400],
  ['plain http', JSON.stringify({ ...GIVEN, url: 'http://a.example/' }), 422],
  ['no scheme', JSON.stringify({ ...GIVEN, url: 'a.example/hook' }), 422],
  ['another scheme', JSON.stringify({ ...GIVEN, url: 'file:///etc/passwd' }), 422],
  ['credentials', JSON.stringify({ ...GIVEN, url: 'https://u:p@a.example/' }), 422],
  ['loopback', JSON.stringify({ ...GIVEN, url: 'https://127.0.0.1/' }), 422],
  ['loopback in hex', JSON.stringify({ ...GIVEN, url: 'https://0x7f.1/' }), 422],
  ['metadata of a cloud', JSON.stringify({ ...GIVEN, url: 'https://169.254.169.254/latest' }), 422],
  ['a name inside', JSON.stringify({ ...GIVEN, url: 'https://inside.example/' }), 422],
  ['a name of nobody', JSON.stringify({ ...GIVEN, url: 'https://a.invalid/' }), 422],
  ['a line break in the url', JSON.stringify({ ...GIVEN, url: 'https://a.example/\r\nx: y' }), 422]
]

t.test('creations that are refused', async (t) => {
  const { port, call, journal } = await listening(t)
  for (const [name, body, status] of bodies) {
    const answer = await raw(port, `POST ${API}`, body)
    // A body that is cut off may lose its answer on the way; what counts is that it is not taken.
    if (status === 413 && answer === '') continue
    t.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), name)
  }
  t.match((await call('GET')).body, { total: 0, endpoints: [] }, 'nothing was kept')
  t.equal(journal.records.length, 0)
  t.equal((await call('POST', '', GIVEN)).status, 201, 'and the next one is served')
  t.notOk(({} as { enabled?: unknown }).enabled === false, 'no prototype was touched')
})

t.test('the texts of a refusal name neither address nor port nor cause', async (t) => {
  const { call } = await openApp(t)
  const texts = ['https://inside.example/', 'https://10.0.0.1:6379/', 'https://a.invalid/'].map(async (url) => {
    const { body } = await call('POST', '', { ...GIVEN, url })
    return body.message
  })
  const [inside, literal, nobody] = await Promise.all(texts)
  t.equal(inside, literal)
  t.equal(inside, nobody)
  t.notMatch(inside, /10\.0|6379|inside\.example/)
})

const ids = [
  '%00',
  '%FF',
  '%F0%9F',
  '..%2f..',
  'wh_%0d%0aset-cookie:%20a=b',
  "wh_'%20OR%201=1",
  '%7B%22$ne%22:1%7D',
  '__proto__',
  'constructor',
  'x'.repeat(300)
]

t.test('ids of odd bytes find nothing', async (t) => {
  const { port, call } = await listening(t)
  await call('POST', '', GIVEN)
  for (const id of ids) {
    for (const method of ['GET', 'DELETE']) {
      const answer = await raw(port, `${method} ${API}/${id}`)
      t.match(answer, /^HTTP\/1\.1 (400|404|414) /, `${method} ${id.slice(0, 20)}`)
      t.notMatch(answer, /set-cookie/i)
    }
    t.match(await raw(port, `POST ${API}/${id}/reveal`, '{}'), /^HTTP\/1\.1 (400|404|414) /)
  }
  t.equal((await call('GET')).body.total, 1)
})

t.test('only JSON is taken', async (t) => {
  const { call } = await openApp(t)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
    const payload = JSON.stringify(GIVEN)
    const answer = await call('POST', '', undefined, { payload, headers: { 'content-type': type } })
    t.equal(answer.status, 415, type)
  }
})
