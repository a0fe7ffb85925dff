/** What a session says of whom it acts as, and a token of its impersonation: what cannot be read lets in nowhere. */
import { createAccessToken } from 'svc-kernel'
import t from 'tap'
import { actingOf, impersonationOf } from '../../src/acting/acting.ts'

const whole = { user: 'bob', reason: 'ticket 7', write: false, since: 1, until: 2 }

const metas: Array<[title: string, meta: object, found: unknown]> = [
  ['none', {}, null],
  ['ended', { acting: null }, null],
  ['whole', { acting: whole }, whole],
  ['a further key', { acting: { ...whole, more: 1 } }, whole],
  ['text', { acting: 'bob' }, { user: '', until: 0, write: false }],
  ['a list', { acting: ['bob'] }, { user: '', until: 0 }],
  ['without an end', { acting: { ...whole, until: null } }, { user: '', until: 0 }],
  ['write as text', { acting: { ...whole, write: 'yes' } }, { user: '', until: 0, write: false }]
]
for (const [title, meta, found] of metas) {
  t.test(`a session: ${title}`, async (t) => {
    const read = actingOf({ meta: meta as never })
    if (found === null) t.equal(read, null)
    else t.match(read, found as object)
  })
}

const tokens: Array<[title: string, attributes: object, found: unknown]> = [
  ['none', {}, null],
  ['read-only', { impersonation: { write: false, over: null } }, { write: false, over: null }],
  ['with changes', { impersonation: { write: true, over: null } }, { write: true, over: null }],
  ['over', { impersonation: { write: true, over: 'expired' } }, { write: false, over: 'expired' }],
  ['write as text', { impersonation: { write: 'yes', over: null } }, { write: false, over: null }],
  ['unreadable', { impersonation: null }, { write: false, over: 'unreadable' }],
  ['nothing of it', { impersonation: {} }, { write: false, over: 'unreadable' }]
]
for (const [title, attributes, found] of tokens) {
  t.test(`a token: ${title}`, async (t) => {
    const token = createAccessToken({ type: 'session', user: { identifier: 'bob', roles: [] }, ...attributes })
    t.strictSame(impersonationOf(token), found)
  })
}

t.test('no token, and one whose prototype has the trait', async (t) => {
  t.equal(impersonationOf(null), null)
  t.equal(impersonationOf(Object.create({ impersonation: { write: true, over: null } })), null)
})
