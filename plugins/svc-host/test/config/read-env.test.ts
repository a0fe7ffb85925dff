/** The environment catalogue: typed values, or every mistake at once. */
import type { BootError } from 'svc-kernel'
import t from 'tap'
import { type EnvCatalogue, readEnv } from '../../src/config/read-env.ts'

const catalogue = {
  PORT: { type: 'integer', default: 5151, min: 0, max: 65535 },
  HOST: { type: 'string', default: '127.0.0.1' },
  NODE_ENV: { type: 'enum', values: ['development', 'production'], default: 'production' },
  VERBOSE: { type: 'boolean', default: false },
  SVC_WEBHOOK_KEY: { type: 'string', secret: true, optional: true }
} as const satisfies EnvCatalogue

t.test('defaults', async (t) => {
  const env = readEnv({}, catalogue)
  t.same(env, { PORT: 5151, HOST: '127.0.0.1', NODE_ENV: 'production', VERBOSE: false })
  t.ok(Object.isFrozen(env))
  t.equal(env.SVC_WEBHOOK_KEY, undefined)
})

t.test('an empty variable is one that is not set', async (t) => {
  t.equal(readEnv({ PORT: '' }, catalogue).PORT, 5151)
})

t.test('what is not in the catalogue is not read', async (t) => {
  t.notOk('PATH' in readEnv({ PATH: '/bin' }, catalogue))
})

const read: ReadonlyArray<[name: keyof typeof catalogue, text: string, value: unknown]> = [
  ['PORT', '0', 0],
  ['PORT', '65535', 65535],
  ['VERBOSE', 'true', true],
  ['VERBOSE', '1', true],
  ['VERBOSE', 'false', false],
  ['VERBOSE', '0', false],
  ['NODE_ENV', 'development', 'development'],
  ['HOST', ' ', ' '],
  ['SVC_WEBHOOK_KEY', 'abc', 'abc']
]

for (const [name, text, value] of read) {
  t.test(`${name}=${text}`, async (t) => {
    t.equal(readEnv({ [name]: text }, catalogue)[name], value)
  })
}

const refused: ReadonlyArray<[name: string, text: string, expected: string]> = [
  ['PORT', '65536', 'an integer from 0 to 65535'],
  ['PORT', '-1', 'an integer from 0 to 65535'],
  ['PORT', '51.51', 'an integer from 0 to 65535'],
  ['PORT', '5151x', 'an integer from 0 to 65535'],
  ['PORT', '0x10', 'an integer from 0 to 65535'],
  ['PORT', '1e3', 'an integer from 0 to 65535'],
  ['PORT', ' 80', 'an integer from 0 to 65535'],
  ['PORT', '99999999999999999999', 'an integer from 0 to 65535'],
  ['VERBOSE', 'yes', 'true | false'],
  ['VERBOSE', 'TRUE', 'true | false'],
  ['NODE_ENV', 'staging', 'development | production']
]

for (const [name, text, expected] of refused) {
  t.test(`refused: ${name}=${text}`, async (t) => {
    t.match(problemsOf({ [name]: text }, catalogue), [
      {
        code: 'SVC_KERNEL_ENV',
        message: 'the environment variable has an invalid value',
        at: name,
        got: JSON.stringify(text),
        expected
      }
    ])
  })
}

t.test('every mistake at once', async (t) => {
  const needed = { ...catalogue, DATABASE: { type: 'string' }, LIMIT: { type: 'integer', min: 1 } } as const
  t.match(problemsOf({ PORT: 'x', VERBOSE: 'x' }, needed), [
    { at: 'PORT' },
    { at: 'VERBOSE' },
    {
      at: 'DATABASE',
      message: 'the environment variable is not set',
      expected: 'text',
      fix: 'add DATABASE=... to .env'
    },
    { at: 'LIMIT', expected: 'an integer from 1' }
  ])
})

t.test('a variable under a name one edit away is pointed at', async (t) => {
  const needed = { DATABASE: { type: 'string' }, HOST: { type: 'string' } } as const
  t.match(problemsOf({ DATABASES: 'x', HOME: '/root' }, needed), [
    { at: 'DATABASE', message: 'the environment variable is not set (did you mean DATABASES, which is set?)' },
    { at: 'HOST', message: /not set$/ }
  ])
})

function problemsOf(source: Record<string, string>, given: EnvCatalogue): BootError['problems'] {
  try {
    readEnv(source, given)
    return []
  } catch (error) {
    return (error as BootError).problems
  }
}
