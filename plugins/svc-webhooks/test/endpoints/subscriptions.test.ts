/** The index against the plain reading of a pattern, by table and by property. */
import fc from 'fast-check'
import t from 'tap'
import { SubscriptionIndex } from '../../src/endpoints/endpoint-snapshot.ts'
import { isEventPattern } from '../../src/endpoints/event-types.ts'

/** What may be subscribed to. */
for (const text of ['*', 'login', 'login.failure', 'login.*', 'a.b.c.*', 'x-y_z.1']) t.ok(isEventPattern(text), text)

const none = ['', '**', '*.login', 'login*', 'login.', '.login', 'a..b', 'a.*.b', 'a b', 'a.b ', 'a\n', 'é.b', 'a/b']
for (const text of none) t.notOk(isEventPattern(text), JSON.stringify(text))
for (const given of [null, undefined, 5, ['*'], { '*': true }]) t.notOk(isEventPattern(given), JSON.stringify(given))

function plainly(pattern: string, action: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? action.startsWith(pattern.slice(0, -1)) : action === pattern
}

t.test('patterns', async (t) => {
  const table: [pattern: string, action: string, matches: boolean][] = [
    ['*', 'login.failure', true],
    ['*', 'logout', true],
    ['login.failure', 'login.failure', true],
    ['login.failure', 'login.failures', false],
    ['login.failure', 'Login.Failure', false],
    ['login.*', 'login.failure', true],
    ['login.*', 'login.mfa.required', true],
    ['login.mfa.*', 'login.mfa.required', true],
    ['login.*', 'login', false],
    ['login.*', 'login.', true],
    ['login.*', 'logins.failure', false],
    ['login*', 'login.failure', false],
    ['*.failure', 'login.failure', false],
    ['.*', 'login.failure', false],
    ['.*', '.hidden', true],
    ['', 'login.failure', false],
    ['__proto__', 'constructor', false]
  ]
  for (const [pattern, action, matches] of table) {
    const index = new SubscriptionIndex([{ id: 'wh_1', events: [pattern] }])
    t.strictSame(index.match(action), matches ? ['wh_1'] : [], `${pattern} and ${action}`)
  }
})

t.test('an endpoint is named once, however many of its patterns match', async (t) => {
  const index = new SubscriptionIndex([
    { id: 'wh_1', events: ['*', 'login.*', 'login.failure', 'login.failure'] },
    { id: 'wh_2', events: ['token.*'] }
  ])
  t.equal(index.size, 2)
  t.strictSame(index.match('login.failure'), ['wh_1'])
  t.strictSame(index.match('token.revoked'), ['wh_1', 'wh_2'])
})

t.test('it answers like the plain reading, also from memory and when the memory is full', async (t) => {
  const words = fc.constantFrom('a', 'b', 'c')
  const action = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
  const pattern = fc.oneof(
    fc.constant('*'),
    action,
    action.map((text) => `${text}.*`)
  )
  const subscriptions = fc.array(fc.array(pattern, { maxLength: 3 }), { maxLength: 6 })
  fc.assert(
    fc.property(subscriptions, fc.array(action, { maxLength: 10 }), (lists, actions) => {
      const index = new SubscriptionIndex(lists.map((events, id) => ({ id: `wh_${id}`, events })))
      for (let other = 0; other < 300; other += 1) index.match(`other.${other}`)
      for (const one of [...actions, ...actions]) {
        const expected = lists.flatMap((events, id) => (events.some((p) => plainly(p, one)) ? [`wh_${id}`] : []))
        t.strictSame([...index.match(one)].sort(), expected)
      }
    }),
    { numRuns: 50 }
  )
})

t.test('nobody is the same list every time', async (t) => {
  const index = new SubscriptionIndex([{ id: 'wh_1', events: ['token.*'] }])
  t.equal(index.match('login.failure'), index.match('logout'))
})
