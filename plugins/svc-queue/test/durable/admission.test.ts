/** Jobs on their way into the queue: in batches, written again whole, bounded, and counted if they are lost. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Admission, type JobCodec } from '../../src/durable/admission.ts'
import type { Job } from '../../src/job.ts'
import type { NewJob } from '../../src/queue.ts'
import { aJob, listeningLog, settle, TEXTS } from '../support/jobs.ts'

interface Named extends Job {
  readonly name: string
}

const named = (name: string, lane = 'wh_1'): Named => ({ ...aJob(lane), name })

const codec: JobCodec<Named> = {
  idOf: ({ name, lane }) => `${name} of ${lane}`,
  write: ({ name }) => (name === 'unwritable' ? null : JSON.stringify(name)),
  read: () => null,
  unreadable: () => undefined
}

function watched() {
  const clock = new ManualClock()
  const { log, lines } = listeningLog()
  const [asked, stored, unwritable]: [(readonly NewJob[])[], Named[], Named[]] = [[], [], []]
  const state = { away: false }
  const admission = new Admission<Named>({
    clock,
    log,
    codec,
    texts: TEXTS,
    lease: { alive: true, holding: (call) => call('a') },
    capacity: { wanted: (batch) => new Set(batch.slice(0, 1)) },
    queue: {
      admit: async (_, batch) => {
        asked.push(batch)
        if (state.away) throw new Error('the database is away')
        return batch.filter(({ held }) => held).map(({ id }) => id)
      }
    },
    handler: {
      happened: (event, job) => {
        t.equal(event, 'discarded')
        unwritable.push(job)
      }
    },
    owner: {
      stored: (batch, held) => void stored.push(...batch.filter(({ id }) => held.has(String(id))))
    }
  })
  return { clock, lines, admission, asked, stored, unwritable, state }
}

t.test('what is added in one turn is one write, with ids that are derived; the first is wanted here', async (t) => {
  const { admission, asked, stored } = watched()
  for (const lane of ['wh_1', 'wh_2']) t.ok(admission.add(named('one', lane)))
  t.equal(asked.length, 0, 'not on the stack of the caller')
  await admission.stored()
  t.strictSame(asked, [
    [
      { id: 'one of wh_1', lane: 'wh_1', payload: '"one"', held: true },
      { id: 'one of wh_2', lane: 'wh_2', payload: '"one"', held: false }
    ]
  ])
  t.match(stored, [{ lane: 'wh_1', id: 'one of wh_1' }])
})

t.test('a batch that failed is written again whole, later and later', async (t) => {
  const { clock, admission, asked, state } = watched()
  state.away = true
  admission.add(named('one'))
  await t.rejects(admission.stored(), { code: 'TEST_UNAVAILABLE' })
  admission.add(named('two'))
  for (const [wait, writes] of [
    [1000, 2],
    [1000, 2],
    [1000, 3]
  ] as const) {
    clock.advance(wait)
    await settle()
    t.equal(asked.length, writes)
  }
  state.away = false
  clock.advance(4000)
  await settle()
  await admission.stored()
  t.strictSame(
    asked.map((batch) => batch.map(({ id }) => id)),
    [...Array(4).fill(['one of wh_1']), ['two of wh_1']]
  )
})

t.test('a job that cannot be written is reported, and delays nothing', async (t) => {
  const { admission, asked, unwritable, lines } = watched()
  admission.add(named('unwritable'))
  admission.add(named('two'))
  await admission.stored()
  t.match(unwritable, [{ name: 'unwritable' }])
  t.strictSame(lines, [])
  t.strictSame(
    asked[0]?.map(({ id }) => id),
    ['two of wh_1']
  )
})

t.test('what may wait is bounded; a close says how many it could not store, and takes no more', async (t) => {
  const { admission, state } = watched()
  state.away = true
  const job = named('one')
  for (let index = 0; index < 50_000; index += 1) admission.add(job)
  t.notOk(admission.add(job))
  t.equal(await admission.close(), 50_000)
  t.notOk(admission.add(job))
  state.away = false
})

t.test('after the stop began jobs are stored for others', async (t) => {
  const { admission, asked, stored } = watched()
  admission.stop()
  admission.add(named('one'))
  await admission.stored()
  t.match(asked, [[{ id: 'one of wh_1', held: false }]])
  t.strictSame(stored, [])
})
