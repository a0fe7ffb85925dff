/** The session cookie: how it is written, and what is read as one. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { newSessionId, SessionCookie, sessionRef } from '../../src/sessions/session-cookie.ts'

const ID = newSessionId()
const cookie = new SessionCookie({ cookieName: 'svc_session', secureCookie: 'auto' })

function request(header: string | undefined, protocol = 'http'): FastifyRequest {
  return { headers: { cookie: header }, protocol } as unknown as FastifyRequest
}

function written(write: (reply: FastifyReply) => void): string {
  let text = ''
  write({ header: (_name: string, value: string) => (text = value) } as unknown as FastifyReply)
  return text
}

t.test('over plain HTTP', async (t) => {
  const text = written((reply) => cookie.write(request(undefined), reply, ID))
  t.equal(text, `svc_session=${ID}; Path=/; HttpOnly; SameSite=Lax`)
})

t.test('over TLS, or where the proxy keeps it to itself', async (t) => {
  const secure = `__Host-svc_session=${ID}; Path=/; HttpOnly; Secure; SameSite=Lax`
  t.equal(
    written((reply) => cookie.write(request(undefined, 'https'), reply, ID)),
    secure
  )
  const always = new SessionCookie({ cookieName: 'svc_session', secureCookie: 'always' })
  t.equal(
    written((reply) => always.write(request(undefined), reply, ID)),
    secure
  )
})

t.test('cleared', async (t) => {
  const text = written((reply) => cookie.clear(request(undefined), reply))
  t.equal(text, 'svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
})

const rows: Array<[title: string, header: string | undefined, protocol: string, read: string | null]> = [
  ['none', undefined, 'http', null],
  ['empty', '', 'http', null],
  ['alone', `svc_session=${ID}`, 'http', ID],
  ['among others', `a=1; svc_session=${ID};b=2`, 'http', ID],
  ['secure', `__Host-svc_session=${ID}`, 'https', ID],
  ['the plain name on TLS', `svc_session=${ID}`, 'https', null],
  ['the secure name without TLS', `__Host-svc_session=${ID}`, 'http', null],
  ['twice', `svc_session=${ID}; svc_session=${ID}`, 'http', null],
  ['too short', `svc_session=${ID.slice(1)}`, 'http', null],
  ['too long', `svc_session=${ID}A`, 'http', null],
  ['quoted', `svc_session="${ID}"`, 'http', null],
  ['escaped', `svc_session=%41${ID.slice(1)}`, 'http', null],
  ['other letters', `svc_session=${ID.slice(1)}+`, 'http', null],
  ['a name that ends alike', `xsvc_session=${ID}`, 'http', null],
  ['no equals sign', 'svc_session', 'http', null],
  ['renewed, with an empty renewal', `svc_session=${ID}.`, 'http', null],
  ['renewed, too long', `svc_session=${ID}.${ID}A`, 'http', null],
  ['renewed twice', `svc_session=${ID}.${ID}.${ID}`, 'http', null],
  ['8 KiB', `svc_session=${'A'.repeat(8192)}`, 'http', null],
  ['8 KiB of separators', ';'.repeat(8192), 'http', null]
]
for (const [title, header, protocol, read] of rows) {
  const expected = read === null ? null : { id: read, renewal: null }
  t.test(`read: ${title}`, async (t) => t.strictSame(cookie.read(request(header, protocol)), expected))
}

t.test('read and written: renewed', async (t) => {
  const renewal = ID.replaceAll('A', 'B')
  t.strictSame(cookie.read(request(`svc_session=${ID}.${renewal}`, 'http')), { id: ID, renewal })
  const text = written((reply) => cookie.write(request(undefined), reply, ID, renewal))
  t.equal(text, `svc_session=${ID}.${renewal}; Path=/; HttpOnly; SameSite=Lax`)
})

t.test('a cookie that is not Secure is reported once; one that is, never', async (t) => {
  let bare = 0
  const watched = new SessionCookie({ cookieName: 'svc_session', secureCookie: 'auto' }, () => {
    bare += 1
  })
  written((reply) => watched.write(request(undefined, 'https'), reply, ID))
  t.equal(bare, 0)
  for (const _ of [1, 2]) written((reply) => watched.write(request(undefined), reply, ID))
  t.equal(bare, 1)
})

t.test('what a caller sends under our name is worth clearing, whatever it is; nothing is not', async (t) => {
  t.equal(cookie.isPresent(request('svc_session=nonsense')), true)
  t.equal(cookie.isPresent(request('other=1')), false)
  t.equal(cookie.isPresent(request(undefined)), false)
})

t.test('ids are random, and kept as what cannot be turned back', async (t) => {
  t.equal(new Set(Array.from({ length: 1000 }, newSessionId)).size, 1000)
  t.equal(Buffer.from(ID, 'base64url').length, 32)
  t.match(sessionRef(ID), /^[A-Za-z0-9_-]{43}$/)
  t.not(sessionRef(ID), ID)
})
