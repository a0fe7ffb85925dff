/** Whatever was thrown, the journal can write it down. */
import t from 'tap'
import { NoIdentity } from '../../src/errors.ts'
import { printable, readableError, submittedBy, submitterOf } from '../../src/journal/audit-writer.ts'

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const rows: Array<[title: string, thrown: unknown, expected: object]> = [
  ['an Error', new TypeError('bad'), { type: 'TypeError', message: 'bad', stack: String }],
  [
    'with code and status',
    Object.assign(new Error('x'), { code: 'E_X', statusCode: 401 }),
    { code: 'E_X', statusCode: 401 }
  ],
  ['an error of this plugin', new NoIdentity(), { type: 'FastifyError', code: 'SVC_SEC_NO_IDENTITY', statusCode: 401 }],
  ['a text with a line break', 'a\nb', { type: 'string', message: 'a\\u000ab' }],
  ['undefined', undefined, { type: 'undefined', message: 'undefined' }],
  ['null', null, { type: 'object', message: 'null' }],
  ['a symbol', Symbol('s'), { type: 'symbol', message: 'Symbol(s)' }],
  ['an object with a message', { message: 'm' }, { type: 'object', message: 'm' }],
  ['an object without', {}, { type: 'object', message: 'an object that is not an Error' }],
  ['an object without prototype', Object.create(null), { type: 'object', message: 'an object that is not an Error' }],
  [
    'a throwing getter',
    {
      get message() {
        throw new Error('x')
      }
    },
    { type: 'object', message: 'an unreadable error' }
  ],
  [
    'an Error with a throwing getter',
    Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('y')
      }
    }),
    { message: 'an unreadable error' }
  ],
  ['a revoked proxy', revoked(), { type: 'object', message: 'an unreadable error' }]
]

for (const [title, thrown, expected] of rows) {
  t.test(title, (t) => {
    t.match(readableError(thrown), expected)
    t.end()
  })
}

const texts: Array<[given: string, shown: string]> = [
  ['alice', 'alice'],
  ['', ''],
  ['é 漢 🙂', 'é 漢 🙂'],
  ['a\r\nb', 'a\\u000d\\u000ab'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['nul\u0000', 'nul\\u0000'],
  ['\u0085\u2028\u2029', '\\u0085\\u2028\\u2029'],
  ['\u202eevil', '\\u202eevil'],
  ['x'.repeat(256), 'x'.repeat(256)],
  ['x'.repeat(257), `${'x'.repeat(253)}...`]
]

for (const [given, shown] of texts) {
  t.test(`shown as "${shown.slice(0, 20)}"`, (t) => {
    t.equal(printable(given), shown)
    t.end()
  })
}

t.test('an error carries the name and stays what it is', async (t) => {
  const error = new RangeError('no')
  t.equal(submittedBy(error, 'alice'), error)
  t.equal(submitterOf(error), 'alice')
  t.equal(error.message, 'no')
})

t.test('what cannot carry a name passes as it is', async (t) => {
  for (const thrown of [undefined, null, 'text', 7, { plain: true }, Object.freeze(new Error('frozen'))]) {
    t.equal(submittedBy(thrown, 'alice'), thrown)
    t.equal(submitterOf(thrown), null)
  }
})

t.test('what cannot be read names nobody', async (t) => {
  const hostile = Object.defineProperty(new Error('x'), 'actor', {
    get() {
      throw new Error('no')
    }
  })
  t.equal(submitterOf(hostile), null)
  t.equal(submitterOf(Object.assign(new Error('x'), { actor: { toString: () => 'alice' } })), null)
})
