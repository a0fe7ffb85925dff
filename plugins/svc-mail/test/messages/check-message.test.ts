/** What a mail may say, and to whom. */
import t from 'tap'
import { readAddress } from '../../src/messages/address.ts'
import { checkMessage } from '../../src/messages/check-message.ts'
import type { NewMail } from '../../src/messages/message.ts'

const BOUNDS = { from: 'shop@example.org', maxRecipients: 3, maxBytes: 2000 }
const NOTE: NewMail = { to: 'ada@example.org', subject: 'Hello', text: 'Dear Ada' }

t.test('addresses', async (t) => {
  const read: readonly (readonly [unknown, string, string])[] = [
    ['ada@example.org', '', 'ada@example.org'],
    [' Ada Lovelace <ada@example.org> ', 'Ada Lovelace', 'ada@example.org'],
    ['"Lovelace, Ada" <ada@example.org>', 'Lovelace, Ada', 'ada@example.org'],
    [{ name: 'Ada', address: 'a.d+a@Example.ORG' }, 'Ada', 'a.d+a@example.org'],
    ['ada@bücher.example', '', 'ada@xn--bcher-kva.example'],
    ['jösé@example.org', '', 'jösé@example.org'],
    ['"ada l"@example.org', '', '"ada l"@example.org'],
    ['root@localhost', '', 'root@localhost']
  ]
  for (const [given, name, address] of read) t.strictSame(readAddress('to', given), { name, address }, String(given))
  const refused: readonly unknown[] = [
    '',
    'ada',
    '@example.org',
    'ada@',
    'a@b@example.org',
    'ada@example.org, eve@example.org',
    '"eve@evil.example x"@example.org',
    'ada..l@example.org',
    '.ada@example.org',
    'ada@-example.org',
    'ada@exa mple.org',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    `${'a'.repeat(65)}@example.org`,
    `ada@${'a.'.repeat(130)}org`,
    'ada@example.org\r\nBcc: eve@example.org',
    'Ada\r\nBcc: eve@example.org <ada@example.org>',
    { name: 'Ada\nBcc: eve@example.org', address: 'ada@example.org' },
    { name: 'x'.repeat(201), address: 'ada@example.org' },
    { name: 1, address: 'ada@example.org' },
    { name: 'Ada' },
    null,
    7
  ]
  for (const given of refused) {
    t.throws(() => readAddress('to', given), { code: 'SVC_MAIL_INVALID', statusCode: 400 }, JSON.stringify(given))
  }
})

t.test('what is refused, and the words for it', async (t) => {
  const refused: readonly (readonly [Partial<Record<keyof NewMail | 'too', unknown>>, RegExp])[] = [
    [{ too: 1 }, /no field "too"/],
    [{ to: [] }, /names no recipient/],
    [{ to: undefined }, /names no recipient/],
    [{ cc: ['a@example.org', 'b@example.org'], bcc: 'c@example.org' }, /4 recipients; expected 3/],
    [{ subject: '' }, /subject is no text/],
    [{ subject: 'Hello\r\nBcc: eve@example.org' }, /subject has line breaks/],
    [{ subject: 'x'.repeat(901) }, /over 900/],
    [{ text: '' }, /text is missing/],
    [{ text: undefined }, /text is missing/],
    [{ text: 'x'.repeat(2000) }, /bytes; expected 2000/],
    [{ headers: { Bcc: 'eve@example.org' } }, /Bcc comes from the fields/],
    [{ headers: { 'Content-Type': 'text/html' } }, /comes from the fields/],
    [{ headers: { 'X-A: b\r\nBcc': 'eve' } }, /name of a header/],
    [{ headers: { 'X-A': 'b\r\nBcc: eve@example.org' } }, /X-A has line breaks/],
    [{ headers: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`X-${n}`, 'a'])) }, /over 50 headers/],
    [{ attachments: {} }, /no list/],
    [{ attachments: Array.from({ length: 51 }, () => ({ filename: 'a', content: '' })) }, /over 50 attachments/],
    [{ attachments: [{ filename: 'a', path: '/etc/passwd' }] }, /text or bytes/],
    [{ attachments: [{ filename: 'a\r\nb', content: '' }] }, /file name .* line breaks/],
    [{ attachments: [{ filename: 'a', content: '', contentType: 'text/csv\r\nX: y' }] }, /content type/],
    [{ attachments: [{ filename: 'a', content: '', cid: 'a>b' }] }, /cid/]
  ]
  for (const [change, message] of refused) {
    t.throws(() => checkMessage({ ...NOTE, ...change } as NewMail, BOUNDS), { code: 'SVC_MAIL_INVALID', message })
  }
})

t.test('a mail as it is stored', async (t) => {
  const bytes = new Uint8Array([0, 255])
  const attachments = [{ filename: 'a.bin', content: bytes, contentType: 'application/octet-stream', cid: 'a' }]
  const box = { name: '', address: 'ada@example.org' }
  t.strictSame(checkMessage({ ...NOTE, from: 'Me <me@example.org>', replyTo: NOTE.to, attachments }, BOUNDS), {
    from: { name: 'Me', address: 'me@example.org' },
    to: [box],
    cc: [],
    bcc: [],
    replyTo: [box],
    subject: 'Hello',
    text: 'Dear Ada',
    html: null,
    headers: {},
    attachments: [{ filename: 'a.bin', contentType: 'application/octet-stream', cid: 'a', base64: 'AP8=' }]
  })
})
