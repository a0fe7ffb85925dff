/** Whatever was thrown, the journal can write it down. */
import t from 'tap'
import { NoIdentity } from '../../src/errors.ts'
import { readableError } from '../../src/journal/readable-error.ts'

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
  ['an object without', {}, { type: 'object', message: 'an object that is no Error' }],
  ['an object without prototype', Object.create(null), { type: 'object', message: 'an object that is no Error' }],
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
