/** How long a lock of another process is waited for, and for what else nobody waits. */
import t from 'tap'
import { waitForLock } from '../../../src/engines/sqlite/wait-for-lock.ts'

class EngineError extends Error {
  readonly errcode: number

  constructor(errcode: number) {
    super(`SQLite ${errcode}`)
    this.errcode = errcode
  }
}

/** Fails so many times with a result code of SQLite. */
function failing(times: number, errcode: number): { readonly work: () => string; readonly calls: () => number } {
  let calls = 0
  const work = () => {
    calls += 1
    if (calls <= times) throw new EngineError(errcode)
    return 'done'
  }
  return { work, calls: () => calls }
}

const BUSY = 5
const BUSY_RECOVERY = 261
const FULL = 13

t.test('what is free is had at once, without a promise', async (t) => {
  t.equal(waitForLock(failing(0, BUSY).work, 0), 'done')
})

t.test('what is held is tried again', async (t) => {
  t.equal(await waitForLock(failing(3, BUSY).work, 1000), 'done')
  t.equal(await waitForLock(failing(1, BUSY_RECOVERY).work, 1000), 'done')
})

t.test('and given up after its time', async (t) => {
  const { work, calls } = failing(Number.POSITIVE_INFINITY, BUSY)
  await t.rejects(async () => waitForLock(work, 5), { message: 'SQLite 5' })
  t.equal(calls(), 3, 'at once, after 2 ms and after 4 more')
})

t.test('nothing else is tried again', async (t) => {
  const { work, calls } = failing(1, FULL)
  t.throws(() => waitForLock(work, 1000), { message: 'SQLite 13' })
  t.equal(calls(), 1)
})
