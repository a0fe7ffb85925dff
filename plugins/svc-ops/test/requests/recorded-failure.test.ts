/** What is kept of an error, as tables: enough to find its cause, nothing that proves who somebody is. */
import t from 'tap'
import { recordedFailure } from '../../src/requests/recorded-failure.ts'

const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLW9mLWl0LWFsbA'

const hidden: readonly [said: string, kept: string][] = [
  ['connect postgres://app:hunter2@db.internal:5432/shop', 'connect postgres://[redacted]@db.internal:5432/shop'],
  ['mongodb+srv://app:hun%40ter2@a,b/shop refused', 'mongodb+srv://[redacted]@a,b/shop refused'],
  ['password=hunter2, user=ada', 'password=[redacted], user=ada'],
  ['got {"apiKey":"hunter2","name":"ada"}', 'got {"apiKey":[redacted],"name":"ada"}'],
  ["got { token: 'hunter2 and more', a: 1 }", 'got { token: [redacted], a: 1 }'],
  ['the header was Bearer hunter2hunter2', 'the header was Bearer [redacted]'],
  ['x-auth Basic YWRhOmh1bnRlcjI=', 'x-auth Basic [redacted]'],
  [`jwt ${JWT} has expired`, 'jwt [redacted] has expired'],
  ['no session 0123456789abcdef0123456789abcdef01', 'no session [redacted]']
]

for (const [said, kept] of hidden) {
  t.test(`Q12: ${kept}`, async (t) => {
    const { message, stack } = recordedFailure(new Error(said), null)
    t.equal(message, kept)
    t.notMatch(stack, /hun(?:%40)?ter2|YWRh|eyJ|0123456789abcdef/)
  })
}

const shown = [
  "Cannot read properties of undefined (reading 'total')",
  'relation "orders" does not exist',
  'duplicate key value violates unique constraint "svc_user_identifier"',
  'timeout: no answer within 500 ms'
]

for (const said of shown) {
  t.test(`Q12: ${said}`, async (t) => t.equal(recordedFailure(new TypeError(said), null).message, said))
}

t.test('Q12: the stack is told from the folder of the application, with the causes', async (t) => {
  const cause = new Error('the database is away')
  const failure = new TypeError('no order', { cause })
  failure.stack =
    'TypeError: no order\n    at find (file:///srv/shop/src/orders/order-service.js:12:5)\n    at /srv/shop/app.js:1:1'
  cause.stack = 'Error: the database is away\n    at /srv/shop/node_modules/pg/lib/client.js:7:9'
  t.strictSame(recordedFailure(failure, '/srv/shop'), {
    name: 'TypeError',
    message: 'no order',
    stack: [
      'TypeError: no order',
      '    at find (src/orders/order-service.js:12:5)',
      '    at app.js:1:1',
      'Caused by: Error: the database is away',
      '    at node_modules/pg/lib/client.js:7:9'
    ].join('\n')
  })
})

t.test('Q12: whatever was thrown, it is kept, and ends', async (t) => {
  const circle = new Error('round')
  circle.cause = circle
  const broken = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('never')
    }
  })
  t.equal((recordedFailure(circle, null).stack.match(/Caused by/g) ?? []).length, 3)
  t.match(recordedFailure(broken, null), { message: 'an unreadable error' })
  t.match(recordedFailure('a text', null), { name: 'string', message: 'a text', stack: '' })
  t.match(recordedFailure(null, null), { name: 'object', message: '' })
  const long = recordedFailure(new Error('long words '.repeat(10_000)), null)
  t.ok(long.message.length === 1000 && long.stack.length <= 6000)
})
