/** Recording: whole frozen events, refusals that are told, and nothing that throws into a producer. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AuditEvent } from 'svc-kernel'
import t from 'tap'
import { AUDIT_CHANNEL } from '../../src/journal/journal.ts'
import { aDenial, aJournal } from '../support/journal-parts.ts'

t.test('an event is whole, with its id and time, and frozen', async (t) => {
  const { journal, clock } = aJournal()
  journal.record(aDenial({ metadata: { voter: 'role', password: 'x' }, ip: '192.0.2.1' }))
  const [event] = journal.recent(1)
  t.match(event?.id, /^aud_[\w-]{12}_\d{10}$/)
  const { id: _id, ...rest } = event as AuditEvent
  t.strictSame(rest, {
    ts: clock.now(),
    category: 'authz',
    action: 'access.denied',
    outcome: 'denied',
    actor: 'alice',
    resource: 'ROLE_X',
    reason: null,
    ip: '192.0.2.1',
    userAgent: null,
    requestId: null,
    metadata: { voter: 'role', password: '[redacted]' }
  })
  t.ok(Object.isFrozen(event) && Object.isFrozen(event?.metadata))
})

t.test('recent gives the newest first, as many as there are, ids in order', async (t) => {
  const { journal } = aJournal()
  for (let index = 0; index < 10_050; index += 1) journal.record(aDenial({ resource: `r${index}` }))
  const all = journal.recent(Number.POSITIVE_INFINITY)
  t.equal(all.length, 10_000)
  t.strictSame([all[0]?.resource, all.at(-1)?.resource], ['r10049', 'r50'])
  t.ok(all.every(({ id }, index) => index === 0 || id < (all[index - 1]?.id ?? '')))
  t.equal(new Set(all.map(({ id }) => id)).size, 10_000)
  for (const count of [0, -1, Number.NaN]) t.strictSame(journal.recent(count), [])
  t.equal(journal.recent(3).length, 3)
})

t.test('hostile fields are made safe', async (t) => {
  const { journal } = aJournal()
  const actor = 'eve\n2026-01-01 INFO admin logged in\u001b[2J'
  journal.record(aDenial({ actor, userAgent: 'x'.repeat(10_000), reason: 'Bearer abc.def', resource: 7 as never }))
  journal.record(aDenial({ actor: { toString: () => 'x' } as never, metadata: 'text' as never }))
  const [second, first] = journal.recent(2)
  t.equal(first?.actor, 'eve\\u000a2026-01-01 INFO admin logged in\\u001b[2J')
  t.strictSame([first?.userAgent?.length, first?.reason, first?.resource], [256, '[redacted]', '7'])
  t.strictSame([second?.actor, second?.metadata], ['[object]', { value: 'text' }])
})

t.test('an unknown action is refused: told each time in development', async (t) => {
  const { journal, lines } = aJournal({ verbose: true })
  const heard: AuditEvent[] = []
  journal.subscribe((event) => heard.push(event))
  for (let time = 0; time < 3; time += 1) journal.record(aDenial({ action: 'acces.denied' }))
  t.strictSame([journal.recent(10), heard], [[], []])
  t.equal(lines.length, 3)
  t.match(lines[0], {
    level: 'error',
    fields: { code: 'SVC_AUDIT_REFUSED', action: 'acces.denied' },
    text: /did you mean/
  })
})

t.test('elsewhere once for each action, and for no more than a hundred', async (t) => {
  const { journal, lines } = aJournal({ verbose: false })
  for (let index = 0; index < 500; index += 1) {
    journal.record(aDenial({ action: `forged\n${index}` }))
    journal.record(aDenial({ action: 'forged\n0' }))
  }
  t.equal(lines.length, 100)
  t.notMatch(JSON.stringify(lines[0]?.fields), /[^\\]\\n/, 'the name is escaped')
})

t.test('nothing that a producer hands in throws', async (t) => {
  const { journal, lines } = aJournal()
  const throwing = {
    get action(): string {
      throw new Error('no')
    }
  }
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  for (const given of [undefined, null, 1, 'x', [], {}, throwing, revoked.proxy, Object.create(null)]) {
    journal.record(given as never)
  }
  t.strictSame(journal.recent(10), [])
  t.equal(lines.length, 9)
})

t.test('drops are those of the writer; without one there are none', async (t) => {
  const writer = { add: () => 1, added: 1, storedUpTo: async () => undefined, dropped: 7 }
  t.strictSame([aJournal({ writer }).journal.dropped, aJournal().journal.dropped], [7, 0])
})

t.test('listeners hear every event; one that fails disturbs nobody', async (t) => {
  const { journal, lines } = aJournal()
  const heard: string[] = []
  journal.subscribe(() => {
    throw new Error('broken')
  })
  journal.subscribe(async () => {
    throw new Error('broken later')
  })
  const leave = journal.subscribe(({ resource }) => heard.push(resource ?? ''))
  for (const resource of ['a', 'b', 'c']) journal.record(aDenial({ resource }))
  t.strictSame(heard, ['a', 'b', 'c'])
  leave()
  leave()
  journal.record(aDenial({ resource: 'd' }))
  t.strictSame(heard, ['a', 'b', 'c'])
  await new Promise((resolve) => setImmediate(resolve))
  const failures = lines.filter(({ fields }) => fields.code === 'SVC_AUDIT_LISTENER')
  t.ok(failures.length >= 2 && failures.length <= 5, 'each listener is told of when it begins to fail')
})

t.test('a listener may come during an event, and is told of the next', async (t) => {
  const { journal } = aJournal()
  const late: AuditEvent[] = []
  const leave = journal.subscribe(() => {
    if (late.length === 0) journal.subscribe((event) => late.push(event))
  })
  journal.record(aDenial())
  t.equal(late.length, 0)
  leave()
  journal.record(aDenial())
  t.equal(late.length, 1)
})

t.test('a listener may leave, and another may come, during an event', async (t) => {
  const { journal } = aJournal()
  const heard: string[] = []
  const leave = journal.subscribe(() => {
    leave()
    heard.push('door')
  })
  let open = true
  journal.subscribe(() => {
    if (open) journal.subscribe(() => heard.push('late'))
    open = false
  })
  journal.subscribe(() => heard.push('second'))
  journal.record(aDenial())
  t.strictSame(heard, ['door', 'second'])
  journal.record(aDenial())
  t.strictSame(heard, ['door', 'second', 'second', 'late'])
})

t.test('a listener that records in turn comes to an end', async (t) => {
  const { journal, lines } = aJournal()
  journal.subscribe(() => journal.record(aDenial()))
  journal.record(aDenial())
  t.equal(journal.recent(100).length, 9)
  t.match(lines, [{ fields: { code: 'SVC_AUDIT_LISTENER' }, text: /endless loop/ }])
  journal.record(aDenial())
  t.equal(journal.recent(100).length, 18, 'the depth is counted anew')
})

t.test('the diagnostics channel carries the event to who subscribes', async (t) => {
  const { journal } = aJournal()
  const heard: unknown[] = []
  const listener = (message: unknown) => void heard.push(message)
  subscribe(AUDIT_CHANNEL, listener)
  journal.record(aDenial())
  unsubscribe(AUDIT_CHANNEL, listener)
  journal.record(aDenial())
  t.equal(heard.length, 1)
  t.equal(heard[0], journal.recent(2)[1])
})
