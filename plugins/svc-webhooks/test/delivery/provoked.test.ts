/** A full queue of refusals that one network provokes leaves room for what else happened, and for what others provoke. */
import t from 'tap'
import { jobOf } from '../../src/delivery/delivery-job.ts'
import { aDispatcher, anEndpoint, anEvent, answered, settle } from '../support/delivery-fixtures.ts'

const catalogue = new Map([
  ['auth.denied', { category: 'auth', outcomes: ['denied'], when: 'x', provoked: 'submitted' }],
  ['login.failure', { category: 'auth', outcomes: ['failure'], when: 'x' }]
] as const)

t.test('A3: the source of a delivery is the network of a refusal; other events have none', async (t) => {
  const denied = (ip: string) => anEvent({ action: 'auth.denied', outcome: 'denied', ip })
  t.equal(jobOf('wh_1', denied('192.0.2.1'), { catalogue }).source, '192.0.2.1')
  t.equal(jobOf('wh_1', denied('2001:db8:0:1::7'), { catalogue }).source, '2001:db8:0:1::/64')
  t.equal(jobOf('wh_1', anEvent({ action: 'login.failure' }), { catalogue }).source, null)
})

t.test('A3: 30 failed logins among 9000 refusals of one address are all delivered', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, transport, audit } = fixture
  audit.catalogue = catalogue
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture, { id: 'wh_1', events: ['*'] })
  await dispatcher.start()
  transport.answer = null
  for (let n = 0; n < 9000; n += 1) {
    audit.record({ category: 'auth', action: 'auth.denied', outcome: 'denied', ip: '192.0.2.1' })
    if (n % 300 === 299) {
      audit.record({
        category: 'auth',
        action: 'login.failure',
        outcome: 'failure',
        actor: `user${n}`,
        ip: '192.0.2.1'
      })
    }
  }
  t.equal(dispatcher.queue().size, 1000)
  t.equal(dispatcher.queue().dropped, 8030, 'of one kind alone')
  transport.answer = () => answered(200)
  await settle()
  transport.finish(answered(200))
  await settle(50)
  const types = transport.sent.map(({ body }) => (JSON.parse(String(body)) as { type: string }).type)
  t.equal(types.filter((type) => type === 'login.failure').length, 30)
  t.equal(types.length, 1000)
})
