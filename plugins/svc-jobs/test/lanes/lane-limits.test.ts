/** Which limits a lane has, by a table: a name before a beginning, a longer beginning before a shorter one. */
import Fastify from 'fastify'
import t from 'tap'
import svcJobs, { type SvcJobsOptions } from '../../src/index.ts'
import { LaneLimits } from '../../src/lanes/lane-limits.ts'

const limits = new LaneLimits({
  '*': { concurrent: 100 },
  'tenant:*': { concurrent: 2 },
  'tenant:big*': { concurrent: 8, rate: { max: 5, perS: 60 } },
  'tenant:big:1': { rate: { max: 9, perS: 1, burst: 3 } },
  mail: { concurrent: 1 }
})

const TABLE = [
  ['mail', 1, null],
  ['mails', 100, null],
  ['Mail', 100, null],
  ['tenant', 100, null],
  ['tenant:', 2, null],
  ['tenant:7', 2, null],
  ['tenant:b', 2, null],
  ['tenant:big', 8, [5, 60, 5]],
  ['tenant:big:2', 8, [5, 60, 5]],
  ['tenant:big:1', null, [9, 1, 3]],
  ['tenant:big:11', 8, [5, 60, 5]],
  ['constructor', 100, null]
] as const

for (const [lane, concurrent, rate] of TABLE) {
  t.test(lane, (t) => {
    const of = limits.of(lane)
    t.equal(of?.concurrent ?? null, concurrent)
    t.strictSame(of?.rate === undefined ? null : [of.rate.max, of.rate.perS, of.rate.burst], rate)
    t.end()
  })
}

t.test('without a beginning that fits a lane has no limits; without options none has', (t) => {
  const some = new LaneLimits({ 'tenant:*': { concurrent: 2 }, mail: { concurrent: 1 } })
  t.strictSame([some.of('report'), some.all?.('report'), some.names], [undefined, undefined, ['mail']])
  t.equal(new LaneLimits({}).all, undefined)
  t.end()
})

const INVALID: readonly [title: string, lanes: unknown, said: RegExp][] = [
  ['a star in the middle', { 'ten*ant': { concurrent: 1 } }, /lanes/],
  ['two stars', { 'tenant**': { concurrent: 1 } }, /lanes/],
  ['no name', { '': { concurrent: 1 } }, /lanes/],
  ['no limit', { mail: {} }, /lanes\W+mail/],
  ['a limit of none', { mail: { concurrent: 0 } }, /concurrent/],
  ['a rate without a time', { mail: { rate: { max: 1 } } }, /perS/],
  ['a rate of none', { mail: { rate: { max: 0, perS: 1 } } }, /max/],
  ['a limit that there is not', { mail: { perSecond: 1 } }, /perSecond/]
]

for (const [title, lanes, said] of INVALID) {
  t.test(`${title} is refused at the start`, async (t) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await t.rejects(async () => fastify.register(svcJobs, { lanes } as SvcJobsOptions), said)
  })
}
