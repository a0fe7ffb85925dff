/** Options that cannot work are refused at once. */
import { Redis } from 'ioredis'
import t from 'tap'
import { bullmqQueue } from '../src/index.ts'

t.test('options that cannot work are refused at once', async (t) => {
  const connection = new Redis({ lazyConnect: true })
  const invalid = { code: 'SVC_BULLMQ_OPTIONS' }
  t.throws(() => bullmqQueue({ connection: undefined as never }), invalid)
  t.throws(
    () =>
      bullmqQueue({
        connection: new Redis({ lazyConnect: true, keyPrefix: 'a:' })
      }),
    invalid
  )
  t.throws(() => bullmqQueue({ connection, prefix: 'a:b' }), invalid)
  t.throws(() => bullmqQueue({ connection, name: '' }), invalid)
  t.throws(() => bullmqQueue({ connection, postgres: {} } as never), invalid)
  t.throws(() => bullmqQueue({ postgres: 'postgres://' as never }), invalid)
  t.throws(() => bullmqQueue({ postgres: { options: '-c search_path=x' } as never }), invalid)
  t.throws(() => bullmqQueue({ postgres: {}, name: 'a b' }), invalid)
})
