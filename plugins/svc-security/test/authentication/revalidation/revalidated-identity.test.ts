/** When an open socket's identity is looked at again, and when it is over. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { RevalidatedIdentity } from '../../../src/authentication/revalidation/revalidated-identity.ts'
import type { Revalidation } from '../../../src/authentication/revalidation/revalidation.ts'

class StubProof implements Revalidation {
  end: number | null = null
  looks: boolean[] = []
  verdict: () => boolean | Promise<boolean> = () => true
  tell: (() => void) | null = null

  endsAt(): number | null {
    return this.end
  }

  check(active: boolean): boolean | Promise<boolean> {
    this.looks.push(active)
    return this.verdict()
  }

  watch(end: () => void): () => void {
    this.tell = end
    return () => {
      this.tell = null
    }
  }
}

function watching(proofs = [new StubProof()], windowMs = 250) {
  const clock = new ManualClock()
  let refusals = 0
  let failures = 0
  const identity = new RevalidatedIdentity(proofs, {
    clock,
    windowMs,
    timeoutMs: 5000,
    unavailable: () => (failures += 1),
    answered: () => (failures = 0),
    renewed: () => true,
    refused: () => (refusals += 1)
  })
  let ends = 0
  const forget = identity.whenOver(() => (ends += 1))
  const proof = proofs[0] as StubProof
  return { clock, identity, forget, proof, refusals: () => refusals, ends: () => ends, failures: () => failures }
}

t.test('X1: a proof whose end throws is over, and a listener that throws keeps no other from hearing it', async (t) => {
  const { clock, identity, proof, ends } = watching()
  let heard = 0
  identity.whenOver(() => {
    throw new Error('a listener')
  })
  identity.whenOver(() => (heard += 1))
  proof.endsAt = () => {
    throw new Error('an authenticator of the application')
  }
  clock.advance(60_000)
  t.equal(await identity.holds(), false)
  t.strictSame([ends(), heard], [1, 1])
})

t.test('one look per window, however many messages', async (t) => {
  const { clock, identity, proof } = watching()
  const answers = await Promise.all(Array.from({ length: 1000 }, () => identity.holds()))
  t.ok(answers.every((answer) => answer === true))
  t.strictSame(proof.looks, [true])
  clock.advance(249)
  t.equal(identity.holds(), true)
  clock.advance(1)
  t.equal(await identity.holds(), true)
  t.equal(proof.looks.length, 2)
})

t.test('a window of 0 looks before each message', async (t) => {
  const { identity, proof } = watching([new StubProof()], 0)
  for (const _ of [1, 2, 3]) await identity.holds()
  t.equal(proof.looks.length, 3)
})

const verdicts: Array<[title: string, verdict: () => boolean | Promise<boolean>]> = [
  ['no', () => false],
  ['no, later', async () => false],
  [
    'a throw',
    () => {
      throw new Error('down')
    }
  ],
  ['a rejection', () => Promise.reject(new Error('down'))],
  ['something else', () => 'yes' as unknown as boolean]
]
for (const [title, verdict] of verdicts) {
  t.test(`over: ${title}`, async (t) => {
    const { identity, proof, refusals, ends } = watching()
    proof.verdict = verdict
    t.equal(await identity.holds(), false)
    t.strictSame([ends(), refusals()], [1, 1])
    proof.verdict = () => true
    t.equal(identity.holds(), false, 'and it stays over')
    t.strictSame([ends(), refusals()], [1, 2])
  })
}

/** An answer that is none. */
function unavailable(): never {
  throw Object.assign(new Error('down'), { statusCode: 503 })
}

t.test('S6: what cannot be asked refuses each message and ends nothing, for a minute', async (t) => {
  const { clock, identity, proof, ends, refusals, failures } = watching()
  proof.verdict = unavailable
  t.strictSame([await identity.holds(), identity.unavailable], [false, true])
  t.equal(identity.holds(), false, 'the window counts for no answer, too')
  t.strictSame([ends(), refusals(), failures()], [0, 0, 1])
  proof.verdict = () => true
  clock.advance(250)
  t.equal(await identity.holds(), true, 'an answer makes up for it')
  t.strictSame([failures(), identity.unavailable], [0, false])
  proof.verdict = unavailable
  clock.advance(250)
  t.strictSame([await identity.holds(), identity.unavailable], [false, true])
  proof.verdict = () => new Promise(() => undefined)
  clock.advance(250)
  const hanging = identity.holds()
  await new Promise(setImmediate)
  clock.advance(5000)
  t.strictSame([await hanging, identity.unavailable], [false, true], 'what does not answer in time is no answer')
  proof.verdict = unavailable
  clock.advance(60_000)
  t.strictSame([await identity.holds(), identity.unavailable], [false, false])
  t.strictSame([ends(), refusals()], [1, 1])
})

t.test('S6: one "no" counts, whatever cannot be asked beside it', async (t) => {
  const [one, two] = [new StubProof(), new StubProof()]
  one.verdict = unavailable
  two.verdict = () => false
  const { identity, ends } = watching([one, two])
  t.equal(await identity.holds(), false)
  t.equal(ends(), 1)
})

t.test('S6: without messages it is looked at once a minute', async (t) => {
  const { clock, proof, ends } = watching()
  clock.advance(60_000)
  await new Promise(setImmediate)
  t.strictSame(proof.looks, [false], 'a look that is no activity')
  proof.verdict = () => false
  clock.advance(60_000)
  await new Promise(setImmediate)
  t.strictSame([proof.looks.length, ends(), clock.pending], [2, 1, 0])
})

t.test('every proof must hold', async (t) => {
  const [one, two] = [new StubProof(), new StubProof()]
  const { identity } = watching([one, two])
  t.equal(await identity.holds(), true)
  two.verdict = () => false
  const { identity: another } = watching([one, two])
  t.equal(await another.holds(), false)
})

t.test('told that it ended: over at once, without a message', async (t) => {
  const { identity, proof, ends, refusals } = watching()
  proof.tell?.()
  t.strictSame([ends(), refusals()], [1, 0])
  t.equal(identity.holds(), false)
})

t.test('an idle socket ends with its proof', async (t) => {
  const { clock, identity, forget, proof, ends } = watching()
  forget()
  proof.end = clock.now() + 60_000
  let over = 0
  identity.whenOver(() => (over += 1))
  clock.advance(59_999)
  t.strictSame(proof.looks, [])
  proof.verdict = () => false
  clock.advance(1)
  await new Promise(setImmediate)
  t.strictSame(proof.looks, [false], 'a look that is no activity')
  t.equal(over, 1)
  t.equal(ends(), 0, 'who went is not told')
  t.equal(clock.pending, 0)
})

t.test('of several who wait for the end, each is told, and the proof is watched once', async (t) => {
  const { clock, identity, proof, ends } = watching()
  let watches = 1
  proof.watch = () => {
    watches += 1
    return () => undefined
  }
  let others = 0
  const leave = identity.whenOver(() => (others += 1))
  identity.whenOver(() => (others += 1))
  t.strictSame([watches, clock.pending], [1, 1])
  leave()
  t.equal(clock.pending, 1, 'who stays is still told')
  proof.tell?.()
  t.strictSame([ends(), others, clock.pending], [1, 1, 0])
})

t.test('however often it is looked at, one timer waits for the next look', async (t) => {
  const { clock, identity } = watching([new StubProof()], 0)
  identity.whenOver(() => undefined)
  for (const _ of [1, 2, 3]) await identity.holds()
  t.equal(clock.pending, 1)
})

t.test('activity elsewhere moves the end', async (t) => {
  const { clock, identity, forget, proof } = watching()
  forget()
  proof.end = clock.now() + 60_000
  let over = 0
  identity.whenOver(() => (over += 1))
  proof.verdict = () => {
    proof.end = clock.now() + 60_000
    return true
  }
  clock.advance(60_000)
  await new Promise(setImmediate)
  t.strictSame([over, clock.pending], [0, 1])
})

t.test('past its end nothing holds, whatever a look says', async (t) => {
  const { clock, identity, proof } = watching()
  t.equal(await identity.holds(), true)
  proof.end = clock.now() + 10
  clock.advance(10)
  t.equal(await identity.holds(), false)
})

t.test('who goes leaves no timer and no watch', async (t) => {
  const { clock, identity, forget, proof } = watching()
  forget()
  proof.end = clock.now() + 60_000
  const leave = identity.whenOver(() => undefined)
  t.equal(clock.pending, 1)
  t.ok(proof.tell)
  leave()
  t.equal(clock.pending, 0)
  t.equal(proof.tell, null)
})

t.test('a look without a message: no activity, at most once per window, and its finding is told', async (t) => {
  const { clock, identity, proof, ends, refusals } = watching()
  identity.recheck()
  await new Promise(setImmediate)
  identity.recheck()
  t.strictSame(proof.looks, [false])
  proof.verdict = () => false
  clock.advance(250)
  identity.recheck()
  await new Promise(setImmediate)
  t.strictSame([ends(), refusals()], [1, 0])
  identity.recheck()
  t.equal(proof.looks.length, 2, 'what is over is not looked at')
})

t.test('P1: each check that found that it holds is reported, until nobody listens', async (t) => {
  const { clock, identity, proof } = watching()
  let checks = 0
  const stop = identity.whenChecked(() => (checks += 1))
  await identity.holds()
  t.equal(checks, 1)
  await identity.holds()
  t.equal(checks, 1, 'once per window')
  clock.advance(250)
  proof.verdict = () => Promise.reject(Object.assign(new Error('down'), { statusCode: 503 }))
  await identity.holds()
  t.equal(checks, 1, 'not without an answer')
  proof.verdict = () => true
  clock.advance(250)
  await identity.holds()
  stop()
  clock.advance(250)
  await identity.holds()
  t.equal(checks, 2)
})

t.test('who asks to be told of the end after it is told at once', async (t) => {
  const { clock, identity, proof } = watching()
  proof.tell?.()
  let told = 0
  const leave = identity.whenOver(() => (told += 1))
  t.equal(told, 1)
  leave()
  clock.advance(60_000)
  await new Promise(setImmediate)
  t.strictSame([told, proof.looks.length, clock.pending], [1, 0, 0])
})
