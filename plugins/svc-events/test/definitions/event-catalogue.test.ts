/** Declarations: what is valid, and what is said of what is not. */
import t from 'tap'
import { z } from 'zod'
import { EventCatalogue } from '../../src/definitions/event-catalogue.ts'
import { defineEvents } from '../../src/index.ts'

t.test('checks data by JSON Schema and by a library, and fills in defaults', async (t) => {
  const properties = { title: { type: 'string' }, urgent: { type: 'boolean', default: false } }
  const catalogue = new EventCatalogue(
    defineEvents({
      'ticket.created': { data: { type: 'object', required: ['title'], properties }, version: 3 },
      'ticket.closed': { data: z.object({ title: z.string() }), version: 1 }
    })
  )
  const given = { title: 'a' }
  t.strictSame(await catalogue.check('ticket.created', given), { version: 3, data: { title: 'a', urgent: false } })
  t.strictSame(given, { title: 'a' }, 'the caller keeps what it gave')
  t.strictSame(await catalogue.check('ticket.closed', given), { version: 1, data: given })
  for (const type of ['ticket.created', 'ticket.closed']) {
    await t.rejects(catalogue.check(type, { title: 7 }), { code: 'SVC_EVENTS_DATA', message: /data\/title/ })
  }
  await t.rejects(catalogue.check('ticket.creatd', given), {
    code: 'SVC_EVENTS_UNKNOWN',
    message: /did you mean "ticket\.created"/
  })
  t.match(catalogue.types[1]?.schema, { type: 'object', properties: { title: { type: 'string' } } })
})

t.test('all problems together', async (t) => {
  const wrong = {
    'no dots.': { data: {}, version: 1 },
    ok: { data: {}, version: 1 },
    zero: { data: {}, version: 0 },
    none: { data: null, version: 1 },
    bad: { data: { type: 'nothing' }, version: 1 }
  }
  const error = t.throws(() => new EventCatalogue(wrong)) as unknown as { problems: { code: string; at: string }[] }
  t.strictSame(
    error.problems.map(({ code, at }) => [code, at.slice('svc-events.events'.length)]),
    ['no dots.', 'zero', 'none', 'bad'].map((name) => ['SVC_EVENTS_DEFINITION', `["${name}"]`])
  )
})
