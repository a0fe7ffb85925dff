/** A carrier channel: what its subscribers hear of sync and async work, and the stores that are entered around it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import t from 'tap'
import { CarrierChannel } from '../../src/index.ts'

interface Work {
  readonly name: string
}

t.test('one message goes with the work from its start to its end, whatever the end is', async (t) => {
  const carrier = new CarrierChannel<Work>('svc.test.work')
  const heard: unknown[] = []
  const end = carrier.subscribe({
    start: ({ name }) => heard.push(`start ${name}`),
    over: ({ name, error }) => heard.push(`over ${name}: ${error}`)
  })
  const failure = new Error('broken')
  t.equal(
    carrier.trace({ name: 'sync' }, () => 7),
    7,
    'synchronous work stays synchronous'
  )
  t.throws(
    () =>
      carrier.trace({ name: 'throws' }, () => {
        throw failure
      }),
    failure
  )
  const pending = carrier.trace({ name: 'async' }, async () => {
    await null
    return 8
  })
  heard.push('returned')
  t.equal(await pending, 8)
  await t.rejects(
    carrier.trace({ name: 'rejects' }, () => Promise.reject(failure)),
    failure
  )
  let asked = 0
  // biome-ignore lint/suspicious/noThenProperty: a query that runs when awaited is one
  const lazy = { then: () => (asked += 1) }
  t.equal(
    carrier.trace({ name: 'lazy' }, () => lazy),
    lazy
  )
  t.equal(asked, 0, 'a foreign thenable is not run')
  t.strictSame(heard, [
    'start sync',
    'over sync: undefined',
    'start throws',
    'over throws: Error: broken',
    'start async',
    'returned',
    'over async: undefined',
    'start rejects',
    'over rejects: Error: broken',
    'start lazy',
    'over lazy: undefined'
  ])
  end()
  carrier.trace({ name: 'later' }, () => null)
  t.equal(heard.length, 11, 'nothing is heard after the end')
})

t.test('it has subscribers while somebody listens to any of its channels, or a store is bound', async (t) => {
  const carrier = new CarrierChannel<Work>('svc.test.asked')
  t.equal(carrier.hasSubscribers, false)
  const end = carrier.subscribe({ over: () => undefined })
  t.equal(carrier.hasSubscribers, true)
  end()
  t.equal(carrier.hasSubscribers, false)
  const unbind = carrier.bind(new AsyncLocalStorage<string>(), ({ name }) => name)
  t.equal(carrier.hasSubscribers, true)
  unbind()
  t.equal(carrier.hasSubscribers, false)
  const heard = () => undefined
  const plain = channel('tracing:svc.test.asked:asyncEnd')
  plain.subscribe(heard)
  t.equal(carrier.hasSubscribers, true, 'its channels have the names of Node')
  plain.unsubscribe(heard)
})

t.test('stores are entered before the start is published, until the work has ended', async (t) => {
  const carrier = new CarrierChannel<Work>('svc.test.stores')
  const storage = new AsyncLocalStorage<string>()
  const own: string[] = []
  const plain = {
    run<T>(context: string, work: () => T): T {
      own.push(`in ${context}`)
      try {
        return work()
      } finally {
        own.push(`out ${context}`)
      }
    }
  }
  const ends = [carrier.bind(storage, ({ name }) => `${name} stored`), carrier.bind(plain, ({ name }) => name)]
  const seen: unknown[] = []
  ends.push(carrier.subscribe({ start: () => seen.push(storage.getStore()), over: () => seen.push('over') }))
  await Promise.all(
    ['a', 'b'].map((name) =>
      carrier.trace({ name }, async () => {
        await null
        seen.push(storage.getStore())
      })
    )
  )
  t.strictSame(seen, ['a stored', 'b stored', 'a stored', 'b stored', 'over', 'over'])
  t.strictSame(own, ['in a', 'out a', 'in b', 'out b'], 'a store may be any object with `run`')
  t.equal(storage.getStore(), undefined)
  let entered: unknown
  carrier.enter({ name: 'c' }, () => {
    entered = storage.getStore()
  })
  t.equal(entered, 'c stored')
  for (const end of ends) end()
  t.equal(carrier.hasSubscribers, false)
})
