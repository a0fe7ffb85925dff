/** Which failures of a look-up may pass, and which say that there is no such name. */
import t from 'tap'
import {
  LookupLimiter,
  lookupFailure,
  type ResolvedAddress,
  sharedLookup,
  systemLookup
} from '../../src/ssrf/lookup.ts'
import { HeldPromise } from '../support/held-promise.ts'

/** Look-ups of one name are shared while they run, and few run at a time. */
/** A resolver that answers when told. */
function heldResolver() {
  const asked: string[] = []
  const held = new Map<string, HeldPromise<readonly ResolvedAddress[]>>()
  return {
    asked,
    ask(host: string) {
      asked.push(host)
      const answer = new HeldPromise<readonly ResolvedAddress[]>()
      held.set(host, answer)
      return answer.promise
    },
    answer: (host: string) => held.get(host)?.resolve([{ address: '8.8.8.8', family: 4 }]),
    fail: (host: string) => held.get(host)?.reject(new Error(`no ${host}`))
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

t.test('who asks while a name is looked up gets that answer, who asks later another', async (t) => {
  const resolver = heldResolver()
  const lookup = sharedLookup(resolver.ask, 2)
  const both = Promise.all([lookup('a'), lookup('a')])
  await turn()
  t.strictSame(resolver.asked, ['a'])
  resolver.answer('a')
  const [first, second] = await both
  t.equal(first, second)
  const later = lookup('a')
  await turn()
  t.strictSame(resolver.asked, ['a', 'a'])
  resolver.answer('a')
  await later
})

t.test('few run at a time, the others in their order, also after a failure', async (t) => {
  const resolver = heldResolver()
  const lookup = sharedLookup(resolver.ask, 2)
  const outcomes = Promise.allSettled(['a', 'b', 'c', 'd'].map(lookup))
  await turn()
  t.strictSame(resolver.asked, ['a', 'b'])
  resolver.fail('b')
  await turn()
  t.strictSame(resolver.asked, ['a', 'b', 'c'])
  resolver.answer('c')
  await turn()
  t.strictSame(resolver.asked, ['a', 'b', 'c', 'd'])
  resolver.answer('a')
  resolver.answer('d')
  t.strictSame(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled']
  )
})

t.test('a failure is not kept either', async (t) => {
  const resolver = heldResolver()
  const lookup = sharedLookup(resolver.ask, 1)
  const first = lookup('a')
  await turn()
  resolver.fail('a')
  await t.rejects(first, { message: 'no a' })
  const second = lookup('a')
  await turn()
  resolver.answer('a')
  t.equal((await second).length, 1)
})

t.test('names that were slow go one at a time, and leave a way for the others', async (t) => {
  const resolver = heldResolver()
  let now = 0
  const lookup = sharedLookup(resolver.ask, 2, () => now)
  const silent = Promise.allSettled(['dead1', 'dead2'].map(lookup))
  await turn()
  now = 10_000
  resolver.fail('dead1')
  resolver.fail('dead2')
  await silent
  resolver.asked.length = 0

  const names = ['dead1', 'dead2', 'well1', 'well2']
  const outcomes = Promise.allSettled(names.map(lookup))
  await turn()
  t.strictSame(resolver.asked, ['dead1', 'well1'], 'one that was slow, one that was not')
  resolver.answer('well1')
  await turn()
  t.strictSame(resolver.asked, ['dead1', 'well1', 'well2'], 'no second slow one beside it')
  resolver.answer('well2')
  await turn()
  t.equal(resolver.asked.length, 3)
  resolver.answer('dead1')
  await turn()
  t.strictSame(resolver.asked.at(-1), 'dead2')
  resolver.answer('dead2')
  await outcomes

  resolver.asked.length = 0
  const recovered = Promise.all(['dead1', 'dead2'].map(lookup))
  await turn()
  t.strictSame(resolver.asked, ['dead1', 'dead2'], 'quick again, they go as the others do')
  resolver.answer('dead1')
  resolver.answer('dead2')
  await recovered
})

t.test('the system knows its own name', async (t) => {
  const found = await systemLookup('localhost')
  t.ok(found.some(({ address }) => address === '127.0.0.1' || address === '::1'))
})

/** Turns at the resolver: in order, a bounded number at a time, slow names one after the other. */
/** Turns on a clock of the test, and which names are at the resolver. */
function turnsOf(atOnce: number) {
  const time = { now: 0 }
  const turns = new LookupLimiter(atOnce, () => time.now)
  const running = new Map<string, () => void>()
  const take = (host: string) => turns.acquire(host).then((leave) => void running.set(host, leave))
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

const momentary = [
  'EAI_AGAIN',
  'ETIMEOUT',
  'ETIMEDOUT',
  'ESERVFAIL',
  'EREFUSED',
  'ECONNREFUSED',
  'EMFILE',
  'ECANCELLED'
]
const lasting = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'ERR_INVALID_ARG_VALUE', '', 'eai_again']

for (const code of momentary) t.equal(lookupFailure(Object.assign(new Error(), { code })), 'resolver', code)
for (const code of lasting) t.equal(lookupFailure(Object.assign(new Error(), { code })), 'unresolvable', code)
for (const thrown of [new Error('EAI_AGAIN'), 'EAI_AGAIN', null, undefined, 7]) {
  t.equal(lookupFailure(thrown), 'unresolvable', String(thrown))
}
