/** The page of a mail: its images are in it, and its headers let nothing happen. What browsers make of it is in test/browser. */
import t from 'tap'
import { PREVIEW_HEADERS, withImages } from '../../src/outbox/html-preview.ts'

const attached = (cid: string | null, contentType: string | null, base64: string) => {
  return { filename: 'a', cid, contentType, base64 }
}

const rows: readonly [html: string, expected: string][] = [
  ['<img src="cid:logo">', '<img src="data:image/png;base64,AAAA">'],
  ["<img src='cid:a@b.c-d'>", "<img src='data:application/octet-stream;base64,BBBB'>"],
  ['<p style="background: url( cid:logo)">', '<p style="background: url( data:image/png;base64,AAAA)">'],
  ['<img src="cid:other"> cid:logo', '<img src="cid:other"> cid:logo'],
  ['<p>$&</p>', '<p>$&</p>']
]

t.test('an image takes the place of its name, where it is a value', async (t) => {
  const attachments = [
    attached('logo', 'image/png', 'AAAA'),
    attached('a@b.c-d', null, 'BBBB'),
    attached(null, null, '')
  ]
  for (const [html, expected] of rows) t.equal(withImages(html, attachments), expected, html)
})

t.test('a large image that is named without end does not fill the memory', async (t) => {
  const large = attached('logo', 'image/png', 'A'.repeat(1_000_000))
  const page = withImages('<img src="cid:logo">'.repeat(10_000), [large])
  t.ok(page.length > 10_000_000 && page.length < 17_000_000, `${page.length} characters`)
})

t.test('the headers: nothing runs, nothing is loaded, and no other site frames it', async (t) => {
  const policy = new Map(
    (PREVIEW_HEADERS['content-security-policy'] ?? '').split('; ').map((part) => {
      const [name = '', ...values] = part.split(' ')
      return [name, values.join(' ')]
    })
  )
  t.equal(policy.get('sandbox'), '', 'a sandbox without a way out')
  t.equal(policy.get('default-src'), "'none'")
  t.equal(policy.get('img-src'), 'data:')
  t.equal(policy.get('frame-ancestors'), "'self'")
  t.equal(PREVIEW_HEADERS['x-content-type-options'], 'nosniff')
})
