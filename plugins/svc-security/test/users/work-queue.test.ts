/** Costly work in its turn. */
import t from 'tap'
import { WorkQueue } from '../../src/users/work-queue.ts'

function job() {
  let finish = () => {}
  let started = false
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = () => {
    started = true
    return done
  }
  return { work, finish: () => finish(), started: () => started }
}

const full = () => new Error('full')

t.test('so much at a time, in order, the rest turned away', async (t) => {
  const queue = new WorkQueue({ atOnce: 1, maxWaiting: 1 }, full)
  const [first, second, third] = [job(), job(), job()]
  const one = queue.run(first.work)
  const two = queue.run(second.work)
  await t.rejects(queue.run(third.work), { message: 'full' })
  t.strictSame([first.started(), second.started(), third.started()], [true, false, false])
  first.finish()
  await one
  t.equal(second.started(), true)
  second.finish()
  await two
  await t.resolves(queue.run(async () => {}))
})

t.test('work that fails gives its place up', async (t) => {
  const queue = new WorkQueue({ atOnce: 1, maxWaiting: 0 }, full)
  await t.rejects(
    queue.run(async () => Promise.reject(new Error('broken'))),
    { message: 'broken' }
  )
  await t.rejects(
    queue.run(() => {
      throw new Error('at once')
    }),
    { message: 'at once' }
  )
  t.equal(await queue.run(async () => 'next'), 'next')
})

t.test('never more at a time than allowed', async (t) => {
  const queue = new WorkQueue({ atOnce: 3, maxWaiting: 100 }, full)
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 50 }, () =>
      queue.run(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
      })
    )
  )
  t.equal(most, 3)
})
