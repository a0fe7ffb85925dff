/** Work is bounded, or runs in turn for each key, and is counted while it waits. */
import t from 'tap'
import { KeyedMutex, WorkQueue } from '../../src/promises/work-queue.ts'

t.test('one at a time for each key, and none is kept that is over', async (t) => {
  const mutex = new KeyedMutex()
  const order: string[] = []
  const open: (() => void)[] = []
  const work = (name: string) => () => {
    order.push(name)
    return new Promise<void>((resolve) => open.push(resolve))
  }
  const [first, second] = [mutex.run('a', work('a1')), mutex.run('a', work('a2'))]
  const other = mutex.run('b', work('b1'))
  await new Promise(setImmediate)
  t.strictSame(order, ['a1', 'b1'])
  t.strictSame([mutex.waiting('a'), mutex.waiting('b'), mutex.waiting('c')], [2, 1, 0])
  open.shift()?.()
  await first
  t.strictSame(order, ['a1', 'b1', 'a2'])
  for (const resolve of open) resolve()
  await Promise.all([second, other])
  t.strictSame([mutex.waiting('a'), mutex.waiting('b')], [0, 0])
  await t.rejects(
    mutex.run('a', () => Promise.reject(new Error('no'))),
    /no/
  )
  t.equal(await mutex.run('a', async () => 5), 5, 'a failure holds nobody up')
})

t.test('what waits for a slot is counted, and too much is refused', async (t) => {
  const queue = new WorkQueue({ atOnce: 1, maxWaiting: 1 }, () => new Error('full'))
  let open = () => {}
  const running = queue.run(
    () =>
      new Promise<void>((resolve) => {
        open = resolve
      })
  )
  const waiting = queue.run(async () => 2)
  t.equal(queue.waiting, 1)
  await t.rejects(
    queue.run(async () => 3),
    /full/
  )
  open()
  await running
  t.equal(await waiting, 2)
  t.equal(queue.waiting, 0)
})
