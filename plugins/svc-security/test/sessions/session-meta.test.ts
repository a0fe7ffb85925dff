/** What a session keeps beside its content: where it was opened, and by what its user was proven. */
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { originOf, proofOf, provenNow } from '../../src/sessions/session-meta.ts'

const from = (headers: object, ip: string | undefined = '::1') => originOf({ headers, ip } as FastifyRequest)

t.test('where it was opened; what the request does not say is null', async (t) => {
  t.strictSame(from({ 'user-agent': 'curl/8.5.0' }), { ip: '::1', userAgent: 'curl/8.5.0' })
  t.strictSame(from({}), { ip: '::1', userAgent: null })
  t.strictSame(originOf({ headers: {} } as FastifyRequest), { ip: null, userAgent: null })
  t.notMatch(from({ 'user-agent': 'a\u0007b' }), { userAgent: /\u0007/ }, 'no control characters')
})

const rows: [title: string, factors: string[], kept: string, read: string[]][] = [
  ['a password', ['pwd'], '5000 pwd', ['pwd']],
  ['two kinds are several', ['pwd', 'otp'], '5000 pwd otp mfa', ['pwd', 'otp', 'mfa']],
  ['one kind twice is one', ['pwd', 'pwd'], '5000 pwd', ['pwd']],
  ['several and one of them again', ['pwd', 'otp', 'mfa', 'pwd'], '5000 pwd otp mfa', ['pwd', 'otp', 'mfa']],
  ['none', [], '5000', []]
]
for (const [title, factors, kept, read] of rows) {
  t.test(`proof: ${title}`, async (t) => {
    const meta = provenNow(5000, factors)
    t.strictSame(meta, { proof: kept })
    const proof = proofOf({ meta })
    t.equal(proof.provenAt, 5000)
    t.strictSame([...proof.factors], read)
    t.strictSame(proofOf({ meta: { proof: kept } }), proof, 'and read again')
  })
}

t.test('a proof that cannot be read says nothing', async (t) => {
  const unreadable = [
    undefined,
    null,
    5000,
    '',
    'pwd',
    '-1 pwd',
    '5000pwd',
    '5000  pwd',
    '1.5 pwd',
    `${'1'.repeat(17)} pwd`
  ]
  for (const proof of unreadable) {
    const read = proofOf({ meta: proof === undefined ? {} : { proof } })
    t.strictSame([read.provenAt, [...read.factors]], [null, []], JSON.stringify(proof))
  }
})
