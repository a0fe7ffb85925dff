/** Locks: what a pattern matches, which guard holds, what an entry may not say. */
import t from 'tap'
import { ChannelLock, ChannelLocks, channelProblems } from '../../src/channels/channel-locks.ts'

const ADMIN = [{ attribute: 'ROLE_SVC_ADMIN' }]

t.test('patterns', async (t) => {
  const rows = [
    ['news', 'news', ''],
    ['news', 'news:1', null],
    ['news', 'new', null],
    ['orders:*', 'orders:42', '42'],
    ['orders:*', 'orders:', ''],
    ['orders:*', 'orders', null],
    ['orders:*', 'Orders:1', null],
    ['*', 'anything', 'anything']
  ] as const
  for (const [pattern, name, rest] of rows) {
    t.equal(new ChannelLock({ pattern, anonymous: true }).restOf(name), rest, `${pattern} and ${name}`)
  }
})

t.test('the part that * stands for is the subject of a guard', async (t) => {
  t.strictSame(new ChannelLock({ pattern: 'orders:*', requires: ['view', ['a', 'b']] }).subscribe, [
    [{ attribute: 'view', subject: 'rest' }],
    [
      { attribute: 'a', subject: 'rest' },
      { attribute: 'b', subject: 'rest' }
    ]
  ])
  t.strictSame(new ChannelLock({ pattern: 'orders', requires: ['view'] }).subscribe, [[{ attribute: 'view' }]])
})

t.test('the first lock that matches holds; none closes; svc: is for administrators', async (t) => {
  const locks = new ChannelLocks([
    { pattern: 'a:secret', requires: ['x'] },
    { pattern: 'a:*', anonymous: true, publish: ['y'] },
    { pattern: 'svc:*', requires: ['z'], publish: true }
  ])
  const rows = [
    ['a:secret', 'subscribe', [[{ attribute: 'x' }]]],
    ['a:secret', 'publish', 'closed'],
    ['a:1', 'subscribe', 'open'],
    ['a:1', 'publish', [[{ attribute: 'y', subject: 'rest' }]]],
    ['b', 'subscribe', 'closed'],
    ['svc:audit', 'subscribe', [ADMIN, [{ attribute: 'z', subject: 'rest' }]]],
    ['svc:audit', 'publish', [ADMIN, [{ attribute: 'z', subject: 'rest' }]]]
  ] as const
  for (const [name, action, guard] of rows) t.strictSame(locks.guardOf(name, action).guard, guard, `${action} ${name}`)
  const none = new ChannelLocks([])
  t.strictSame(none.guardOf('svc:x', 'subscribe').guard, [ADMIN])
  t.equal(none.guardOf('svc:x', 'publish').guard, 'closed')
  t.strictSame(new ChannelLocks([{ pattern: '*', anonymous: true }]).guardOf('svc:x', 'subscribe').guard, [ADMIN])
})

t.test('entries that contradict themselves or each other', async (t) => {
  t.strictSame(
    channelProblems([
      { pattern: 'a', anonymous: true },
      { pattern: 'b', requires: ['x'] }
    ]),
    []
  )
  t.match(channelProblems([{ pattern: 'a' }]), [{ code: 'SVC_REALTIME_LOCK', at: 'svc-realtime.channels[0]' }])
  t.match(channelProblems([{ pattern: 'a', anonymous: false }]), [
    { message: 'the channel has neither requires nor anonymous' }
  ])
  t.match(channelProblems([{ pattern: 'a', anonymous: true, requires: ['x'] }]), [{ message: /contradict/ }])
  t.match(
    channelProblems([
      { pattern: 'a', anonymous: true },
      { pattern: 'a', requires: ['x'] }
    ]),
    [{ at: 'svc-realtime.channels[1]', message: /^channels\[0\] has the pattern "a" already/ }]
  )
})
