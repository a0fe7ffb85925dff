/** Turns at the resolver: in order, a bounded number at a time, slow names one after the other. */
import t from 'tap'
import { LookupTurns } from '../../src/ssrf/lookup-turns.ts'

/** Turns on a clock of the test, and which names are at the resolver. */
function turnsOf(atOnce: number) {
  const time = { now: 0 }
  const turns = new LookupTurns(atOnce, () => time.now)
  const running = new Map<string, () => void>()
  const take = (host: string) => turns.take(host).then((leave) => void running.set(host, leave))
  const leave = (host: string) => {
    running.get(host)?.()
    running.delete(host)
  }
  return { time, running, take, leave }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

async function slowly({ time, take, leave }: ReturnType<typeof turnsOf>, host: string, ms = 1000): Promise<void> {
  await take(host)
  time.now += ms
  leave(host)
}

t.test('in their order, as many as there may be', async (t) => {
  const { running, take, leave } = turnsOf(2)
  for (const host of ['a', 'b', 'c', 'd']) void take(host)
  await settled()
  t.strictSame([...running.keys()], ['a', 'b'])
  leave('b')
  await settled()
  t.strictSame([...running.keys()], ['a', 'c'])
})

t.test('a second is slow, less is not', async (t) => {
  for (const [ms, together] of [
    [999, ['a', 'b']],
    [1000, ['a']]
  ] as const) {
    const given = turnsOf(2)
    await slowly(given, 'a', ms)
    await slowly(given, 'b', ms)
    for (const host of ['a', 'b']) void given.take(host)
    await settled()
    t.strictSame([...given.running.keys()], together, `${ms} ms`)
  }
})

t.test('with one turn at a time slow names get theirs too', async (t) => {
  const given = turnsOf(1)
  await slowly(given, 'a')
  for (const host of ['a', 'b']) void given.take(host)
  await settled()
  t.strictSame([...given.running.keys()], ['a'])
  given.leave('a')
  await settled()
  t.strictSame([...given.running.keys()], ['b'])
})

t.test('so many slow names are remembered; the one that was slow longest ago is forgotten', async (t) => {
  const given = turnsOf(3)
  for (let index = 0; index <= 1000; index += 1) await slowly(given, `n${index}`)
  for (const host of ['n1', 'n2', 'n0']) void given.take(host)
  await settled()
  t.strictSame([...given.running.keys()], ['n1', 'n0'])
})
